#include "evaluation/segments.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/check.h"
#include "core/strings.h"

namespace plainformer {

namespace {

bool precedes(Ngram a, Ngram b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

std::vector<std::vector<std::string>> references_of_lines(
    const std::vector<std::string>& hypotheses, const std::vector<std::vector<std::string>>& references) {
  CHECK(!hypotheses.empty() && !references.empty(), hypotheses.size(), " lines, ", references.size(),
        " references");
  for (const std::vector<std::string>& text : references)
    CHECK(text.size() == hypotheses.size(), hypotheses.size(), " lines of hypotheses, ", text.size(),
          " of references");

  std::vector<std::vector<std::string>> of_lines(hypotheses.size());
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    for (const std::vector<std::string>& text : references) of_lines[i].push_back(text[i]);
  return of_lines;
}

std::vector<std::string> split_where(bool (*separates)(char32_t), std::string_view text) {
  std::vector<std::string> parts;
  bool is_inside = false;
  for (const Character& c : characters_in(text)) {
    const bool was_inside = std::exchange(is_inside, !separates(c.value));
    if (!is_inside) continue;
    if (!was_inside) parts.emplace_back();
    parts.back() += c.bytes;
  }
  return parts;
}

std::vector<std::string> split_at_white_space(std::string_view text) {
  // Python counts the four separators of ASCII, too.
  return split_where([](char32_t c) { return is_white_space(c) || (c >= 0x1C && c <= 0x1F); }, text);
}

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
