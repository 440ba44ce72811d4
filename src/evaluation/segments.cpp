#include "evaluation/segments.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/strings.h"

namespace plainformer {

namespace {

bool precedes(Ngram a, Ngram b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

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

std::vector<Ngram> sorted_ngrams(const std::vector<std::string>& tokens, std::size_t n) {
  std::vector<Ngram> ngrams;
  for (std::size_t begin = 0; begin + n <= tokens.size(); ++begin)
    ngrams.push_back(Ngram(tokens).subspan(begin, n));
  std::sort(ngrams.begin(), ngrams.end(), precedes);
  return ngrams;
}

Index clipped_matches(const std::vector<Ngram>& a, const std::vector<Ngram>& b) {
  std::vector<Ngram> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common), precedes);
  return std::ssize(common);
}

}  // namespace plainformer
