#include "data/unicode.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <unordered_map>
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

}  // namespace

CharacterClass class_of(char32_t c) {
  static const std::string classes = classes_of_all_characters();
  return c < classes.size() ? CharacterClass{classes[c]} : CharacterClass::kLetter;
}

char32_t small_letter_of(char32_t c) {
  const auto* range = std::lower_bound(std::begin(kCapitals), std::end(kCapitals), c,
                                       [](const CapitalRange& r, char32_t value) { return r.last < value; });
  const bool is_in_range = range != std::end(kCapitals) && range->first <= c;
  if (!is_in_range || (c - range->first) % static_cast<char32_t>(range->step) != 0) return c;
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

}  // namespace unicode

namespace {

constexpr char32_t kDottedCapitalI = 0x130;  // becomes two code points: i and a dot above
constexpr char32_t kCapitalSigma = 0x3A3;    // has a different small letter at the end of a word
constexpr char32_t kFinalSigma = 0x3C2;

bool has_case(char32_t c) {
  const bool is_greek = (c >= 0x370 && c <= 0x3FF) || (c >= 0x1F00 && c <= 0x1FFF);
  return is_greek || unicode::small_letter_of(c) != c || unicode::capital_of(c) != c;
}

// Is it an accent, a modifier, an apostrophe or a full stop, which neither continue a word nor end it?
bool is_inside_words(char32_t c) {
  constexpr std::u32string_view kOthers = U"'.:^`\u00A8\u00AD\u00B4\u00B7\u2018\u2019\u2024\u2027\u200D";
  const bool is_modifier = c >= 0x2B0 && c <= 0x2FF;
  return is_modifier || unicode::class_of(c) == unicode::CharacterClass::kMark ||
         kOthers.find(c) != std::u32string_view::npos;
}

// A capital sigma is final when a letter precedes it and none follows.
bool is_final_sigma(const std::vector<Character>& text, std::size_t position) {
  std::size_t before = position;
  while (before > 0 && is_inside_words(text[before - 1].value)) --before;
  if (before == 0 || !has_case(text[before - 1].value)) return false;
  std::size_t after = position + 1;
  while (after < text.size() && is_inside_words(text[after].value)) ++after;
  return after == text.size() || !has_case(text[after].value);
}

}  // namespace

std::string to_lowercase(std::string_view text) {
  const std::vector<Character> characters = characters_in(text);
  std::string lower;
  lower.reserve(text.size());
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const char32_t c = characters[i].value, small = unicode::small_letter_of(c);
    if (c == kDottedCapitalI)
      lower += "i\u0307";
    else if (c == kCapitalSigma && is_final_sigma(characters, i))
      append_utf8(lower, kFinalSigma);
    else if (small != c)
      append_utf8(lower, small);
    else
      lower += characters[i].bytes;  // a malformed byte, too
  }
  return lower;
}

}  // namespace plainformer
