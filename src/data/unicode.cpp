#include "data/unicode.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <vector>

#include "core/strings.h"
#include "data/unicode_tables.h"

namespace plainformer {

namespace unicode {

namespace {

// The class of each character, by its number: the runs of kClassRuns one after the other.
std::string classes_of_all_characters() {
  std::string classes;
  for (std::size_t at = 0, end = 0; at < kClassRuns.size(); at = end) {
    end = std::min(kClassRuns.find_first_not_of("0123456789", at + 1), kClassRuns.size());
    std::size_t length = 0;
    std::from_chars(kClassRuns.data() + at + 1, kClassRuns.data() + end, length);
    classes.append(length, kClassRuns[at]);
  }
  return classes;
}

// Is it one of the capitals of this range?
bool has(const CapitalRange& range, char32_t c) {
  return range.first <= c && c <= range.last && (c - range.first) % range.step == 0;
}

}  // namespace

CharacterClass class_of(char32_t c) {
  static const std::string classes = classes_of_all_characters();
  return c < classes.size() ? CharacterClass{classes[c]} : CharacterClass::kLetter;
}

char32_t small_letter_of(char32_t c) {
  const auto* range = std::lower_bound(std::begin(kCapitals), std::end(kCapitals), c,
                                       [](const CapitalRange& r, char32_t value) { return r.last < value; });
  return range != std::end(kCapitals) && has(*range, c) ? c + range->offset : c;
}

char32_t capital_of(char32_t c) {
  for (const CapitalRange& range : kCapitals)
    if (has(range, c - range.offset)) return c - range.offset;
  return c;
}

}  // namespace unicode

std::string to_lowercase(std::string_view text) {
  constexpr char32_t kDottedCapitalI = 0x130;  // becomes two code points: i and a dot above
  constexpr char32_t kCapitalSigma = 0x3A3;    // has another small letter at the end of a word
  const std::vector<Character> characters = characters_in(text);
  const auto is_in_word = [&](std::size_t i) {
    if (i >= characters.size()) return false;
    const unicode::CharacterClass of_unicode = unicode::class_of(characters[i].value);
    return of_unicode == unicode::CharacterClass::kLetter || of_unicode == unicode::CharacterClass::kMark;
  };
  std::string lower;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const auto [value, bytes] = characters[i];
    const char32_t small = unicode::small_letter_of(value);
    if (value == kDottedCapitalI)
      lower += "i\u0307";
    else if (value == kCapitalSigma && i > 0 && is_in_word(i - 1) && !is_in_word(i + 1))
      lower += "\u03C2";
    else if (small != value)
      append_utf8(lower, small);
    else
      lower += bytes;  // a malformed byte, too
  }
  return lower;
}

}  // namespace plainformer
