// The segments of translations and references side by side, and their n-grams: of words for BLEU, of
// characters for chrF.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/real.h"

namespace plainformer {

// The references of each line: line i of each text of `references`.
//   references   one or several texts, each of as many lines as `hypotheses`, at least one
std::vector<std::vector<std::string>> references_of_lines(
    const std::vector<std::string>& hypotheses, const std::vector<std::vector<std::string>>& references);

// The counts of each line: `count` takes the line and its references.
template <typename Count>
auto counts_of_lines(const std::vector<std::string>& hypotheses,
                     const std::vector<std::vector<std::string>>& references, Count count) {
  std::vector<decltype(count(hypotheses[0], hypotheses))> segments;
  for (const std::vector<std::string>& of_line : references_of_lines(hypotheses, references))
    segments.push_back(count(hypotheses[segments.size()], of_line));
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

// A segment as numbers: the code points of its characters, or the numbers of its words.
using Symbols = std::vector<std::uint32_t>;

// Numbers words, so that equal words have equal numbers and an n-gram is compared without reading its
// letters.
class WordNumbers {
 public:
  Symbols of(const std::vector<std::string>& words);

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

// A view into the sequence that it comes from.
using Ngram = std::span<const std::uint32_t>;

// The n-grams of a sequence, n >= 1. One that occurs twice is there twice.
std::vector<Ngram> sorted_ngrams(const Symbols& sequence, std::size_t n);

// The union: an n-gram that occurs a and b times occurs max(a, b) times.
std::vector<Ngram> united(const std::vector<Ngram>& a, const std::vector<Ngram>& b);

// The size of the intersection: an n-gram that occurs a and b times counts min(a, b) times. BLEU calls this
// clipping.
Index clipped_matches(const std::vector<Ngram>& a, const std::vector<Ngram>& b);

}  // namespace plainformer
