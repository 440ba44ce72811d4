#include "core/composition.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <unordered_map>
#include <vector>

#include "core/composition_tables.h"
#include "core/decomposition_tables.h"
#include "core/utf8.h"

namespace plainformer {

namespace {

struct Character {
  char32_t value;
  int combining_class;  // 0: a letter that marks follow; marks of different classes may change their order
};
using Characters = std::vector<Character>;

// A Hangul syllable is computed from its leading consonant, its vowel and its trailing consonant, which may lack.
namespace hangul {

constexpr char32_t kSyllables = 0xAC00, kLeading = 0x1100, kVowels = 0x1161, kNoTrailing = 0x11A7;
constexpr char32_t kLeadingCount = 19, kVowelCount = 21, kTrailingCount = 28;

bool is_syllable(char32_t c) {
  return c >= kSyllables && c < kSyllables + kLeadingCount * kVowelCount * kTrailingCount;
}

// The syllable of the two, or 0.
char32_t compose(char32_t first, char32_t second) {
  const bool is_vowel = second >= kVowels && second < kVowels + kVowelCount;
  if (first >= kLeading && first < kLeading + kLeadingCount && is_vowel)
    return kSyllables + ((first - kLeading) * kVowelCount + (second - kVowels)) * kTrailingCount;
  const bool is_trailing = second > kNoTrailing && second < kNoTrailing + kTrailingCount;
  if (is_syllable(first) && (first - kSyllables) % kTrailingCount == 0 && is_trailing)
    return first + (second - kNoTrailing);
  return 0;
}

}  // namespace hangul

// Is a text all of whose characters are below this its own composition?
constexpr char32_t kFirstThatMatters = 0x300;

bool has_nothing_to_compose(std::string_view text) {
  constexpr unsigned char kFirstByte = 0xCC;  // of kFirstThatMatters in UTF-8
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < kFirstByte; });
}

int combining_class_of(char32_t c) {
  if (c < kFirstThatMatters) return 0;
  const auto range =
      std::lower_bound(std::begin(unicode::kCombiningClasses), std::end(unicode::kCombiningClasses), c,
                       [](const unicode::CombiningClassRange& r, char32_t value) { return r.last < value; });
  return range != std::end(unicode::kCombiningClasses) && range->first <= c ? range->value : 0;
}

template <std::size_t n>
const unicode::CharacterPair* find(const unicode::CharacterPair (&pairs)[n], char32_t c) {
  const auto pair =
      std::lower_bound(std::begin(pairs), std::end(pairs), c,
                       [](const unicode::CharacterPair& p, char32_t value) { return p.character < value; });
  return pair != std::end(pairs) && pair->character == c ? pair : nullptr;
}

// The character that c stands for, or c.
char32_t singleton_of(char32_t c) {
  const auto run =
      std::lower_bound(std::begin(unicode::kSingletonRuns), std::end(unicode::kSingletonRuns), c,
                       [](const unicode::SingletonRun& r, char32_t value) { return r.last < value; });
  if (run == std::end(unicode::kSingletonRuns) || run->first > c) return c;
  return unicode::kSingletonDecompositions[static_cast<char32_t>(run->index) + (c - run->first)];
}

// Appends the decomposition of c, whose parts may have one themselves. Hangul syllables stay: composing them again
// gives the same.
void decompose(char32_t c, Characters& text) {
  c = singleton_of(c);
  const unicode::CharacterPair* pair = find(unicode::kCompositions, c);
  if (pair == nullptr) pair = find(unicode::kDecompositionsOnly, c);
  if (pair == nullptr) {
    text.push_back({c, combining_class_of(c)});
    return;
  }
  decompose(pair->first, text);
  decompose(pair->second, text);
}

// Sorts each run of marks by class.
void reorder(Characters& text) {
  for (auto begin = text.begin(); begin != text.end();) {
    const auto is_mark = [](const Character& c) { return c.combining_class != 0; };
    begin = std::find_if(begin, text.end(), is_mark);
    const auto end = std::find_if_not(begin, text.end(), is_mark);
    std::stable_sort(begin, end, [](const Character& a, const Character& b) {
      return a.combining_class < b.combining_class;
    });
    begin = end;
  }
}

// The character that is composed of the two, or 0.
char32_t composition_of(char32_t first, char32_t second) {
  const auto key = [](char32_t a, char32_t b) { return std::uint64_t{a} << 32 | b; };
  static const std::unordered_map<std::uint64_t, char32_t> compositions = [&] {
    std::unordered_map<std::uint64_t, char32_t> by_parts;
    for (const unicode::CharacterPair& pair : unicode::kCompositions)
      by_parts[key(pair.first, pair.second)] = pair.character;
    return by_parts;
  }();
  if (const char32_t syllable = hangul::compose(first, second)) return syllable;
  const auto entry = compositions.find(key(first, second));
  return entry == compositions.end() ? 0 : entry->second;
}

// Joins each mark to the last character of class 0 before it, unless a mark of its class, or of a higher one, stands
// between them.
Characters compose(const Characters& text) {
  Characters result;
  std::size_t base = 0;
  bool has_base = false;
  for (const Character& character : text) {
    if (has_base) {
      const bool is_next = result.size() == base + 1;
      const bool is_blocked = !is_next && result.back().combining_class >= character.combining_class;
      const char32_t whole = is_blocked ? 0 : composition_of(result[base].value, character.value);
      if (whole != 0) {
        result[base].value = whole;
        continue;
      }
    }
    if (character.combining_class == 0) {
      base = result.size();
      has_base = true;
    }
    result.push_back(character);
  }
  return result;
}

}  // namespace

std::string composed(std::string_view utf8) {
  if (has_nothing_to_compose(utf8) || !is_valid_utf8(utf8)) return std::string(utf8);
  Characters text;
  for (std::size_t at = 0; at < utf8.size();) {
    const CodePoint point = decode_utf8(utf8, at);
    decompose(point.value, text);
    at += point.bytes;
  }
  reorder(text);
  std::string result;
  for (const Character& character : compose(text)) append_utf8(result, character.value);
  return result;
}

}  // namespace plainformer
