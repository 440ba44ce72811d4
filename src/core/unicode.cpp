#include "core/unicode.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <unordered_map>

#include "core/unicode_tables.h"
#include "core/utf8.h"
#include "core/word_tables.h"

namespace plainformer::unicode {

namespace {

// The range that holds c, or nullptr. The ranges are sorted and disjoint.
template <typename Range>
const Range* find(std::span<const Range> ranges, char32_t c) {
  const auto range = std::lower_bound(ranges.begin(), ranges.end(), c,
                                      [](const Range& r, char32_t value) { return r.last < value; });
  return range != ranges.end() && range->first <= c ? &*range : nullptr;
}

bool holds(std::span<const CharacterRange> ranges, char32_t c) {
  return find<CharacterRange>(ranges, c) != nullptr;
}

}  // namespace

bool is_space(char32_t c) {
  return is_white_space(c) || (c >= 0x1C && c <= 0x1F);  // Python counts the four separators of ASCII
}

bool is_punctuation(char32_t c) {
  return holds(kPunctuation, c);
}

bool is_symbol(char32_t c) {
  return holds(kSymbols, c);
}

bool is_number(char32_t c) {
  return holds(kNumbers, c);
}

bool is_mark(char32_t c) {
  return holds(kMarks, c);
}

bool is_opening(char32_t c) {
  return holds(kOpening, c);
}

bool is_invisible(char32_t c) {
  return holds(kInvisible, c);
}

bool is_unspaced(char32_t c) {
  return holds(kUnspaced, c);
}

bool is_cased(char32_t c) {
  return holds(kCased, c);
}

bool is_case_ignorable(char32_t c) {
  return holds(kCaseIgnorable, c);
}

char32_t small_letter_of(char32_t c) {
  const CapitalRange* range = find<CapitalRange>(kCapitals, c);
  if (range == nullptr || (c - range->first) % static_cast<char32_t>(range->step) != 0) return c;
  return static_cast<char32_t>(static_cast<int>(c) + range->offset);
}

char32_t capital_of(char32_t c) {
  static const std::unordered_map<char32_t, char32_t> capitals = [] {
    std::unordered_map<char32_t, char32_t> by_small;
    for (const CapitalRange& range : kCapitals) {
      for (char32_t capital = range.first; capital <= range.last;
           capital += static_cast<char32_t>(range.step))
        by_small.try_emplace(small_letter_of(capital), capital);
    }
    return by_small;
  }();
  const auto entry = capitals.find(c);
  return entry == capitals.end() ? c : entry->second;
}

}  // namespace plainformer::unicode
