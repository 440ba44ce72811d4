// The segments of translations and references side by side, and their n-grams: of words for BLEU, of
// characters for chrF.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/real.h"

namespace plainformer {

// The counts of each line: `count` takes the line and its reference. There are as many references as lines.
template <typename Count>
auto counts_of_lines(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references,
                     Count count) {
  std::vector<decltype(count(hypotheses[0], hypotheses[0]))> segments;
  for (const std::string& line : hypotheses) segments.push_back(count(line, references.at(segments.size())));
  return segments;
}

// The counts of a text: the sum over its segments.
template <typename Counts>
Counts sum_of(const std::vector<Counts>& segments) {
  Counts sum;
  for (const Counts& segment : segments) sum += segment;
  return sum;
}

// The parts of a text between the characters that separate, without empty parts.
std::vector<std::string> split_where(bool (*separates)(char32_t), std::string_view text);

// The parts between white space, as Python's str.split() has them.
std::vector<std::string> split_at_white_space(std::string_view text);

// A view into the tokens that it comes from.
using Ngram = std::span<const std::string>;

// The n-grams of a segment, n >= 1. One that occurs twice is there twice.
std::vector<Ngram> sorted_ngrams(const std::vector<std::string>& tokens, std::size_t n);

// The size of the intersection: an n-gram that occurs a and b times counts min(a, b) times. BLEU calls this
// clipping.
Index clipped_matches(const std::vector<Ngram>& a, const std::vector<Ngram>& b);

}  // namespace plainformer
