// Multisets of n-grams, as sorted vectors: those of words, for BLEU, and of characters, for chrF.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "core/real.h"

namespace plainformer {

// A view into the sequence that it comes from.
template <typename Element>
using Ngram = std::span<const Element>;

template <typename Element>
bool precedes(Ngram<Element> a, Ngram<Element> b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

// The n-grams of a sequence, n >= 1. One that occurs twice is there twice.
template <typename Element>
std::vector<Ngram<Element>> sorted_ngrams(const std::vector<Element>& sequence, std::size_t n) {
  std::vector<Ngram<Element>> ngrams;
  for (std::size_t begin = 0; begin + n <= sequence.size(); ++begin)
    ngrams.emplace_back(sequence.data() + begin, n);
  std::sort(ngrams.begin(), ngrams.end(), precedes<Element>);
  return ngrams;
}

// The union: an n-gram that occurs a and b times occurs max(a, b) times.
template <typename Element>
std::vector<Ngram<Element>> united(const std::vector<Ngram<Element>>& a,
                                   const std::vector<Ngram<Element>>& b) {
  std::vector<Ngram<Element>> all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all), precedes<Element>);
  return all;
}

// The size of the intersection: an n-gram that occurs a and b times counts min(a, b) times. BLEU calls this clipping.
template <typename Element>
Index clipped_matches(const std::vector<Ngram<Element>>& a, const std::vector<Ngram<Element>>& b) {
  std::vector<Ngram<Element>> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common),
                        precedes<Element>);
  return std::ssize(common);
}

}  // namespace plainformer
