#include "evaluation/ngrams.h"

#include <algorithm>
#include <iterator>

namespace plainformer {

namespace {

bool precedes(Ngram a, Ngram b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

Symbols WordNumbers::of(const std::vector<std::string>& words) {
  Symbols symbols;
  for (const std::string& word : words) {
    const auto next = static_cast<std::uint32_t>(numbers_.size());
    symbols.push_back(numbers_.try_emplace(word, next).first->second);
  }
  return symbols;
}

std::vector<Ngram> sorted_ngrams(const Symbols& sequence, std::size_t n) {
  std::vector<Ngram> ngrams;
  for (std::size_t begin = 0; begin + n <= sequence.size(); ++begin)
    ngrams.push_back(Ngram(sequence).subspan(begin, n));
  std::sort(ngrams.begin(), ngrams.end(), precedes);
  return ngrams;
}

std::vector<Ngram> united(const std::vector<Ngram>& a, const std::vector<Ngram>& b) {
  std::vector<Ngram> all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all), precedes);
  return all;
}

Index clipped_matches(const std::vector<Ngram>& a, const std::vector<Ngram>& b) {
  std::vector<Ngram> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common), precedes);
  return std::ssize(common);
}

}  // namespace plainformer
