#include "evaluation/lowercase.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/utf8.h"

namespace plainformer {

namespace {

// The relation of the capitals in a range to their small letters.
enum class Rule { kAdd, kEvenPlusOne, kOddPlusOne };

struct CapitalRange {
  char32_t first, last;
  Rule rule;
  int offset;  // for kAdd
};

constexpr char32_t kDottedCapitalI = 0x130;  // becomes two code points: i and a dot above
constexpr char32_t kCapitalSigma = 0x3A3;    // has a different small letter at the end of a word
constexpr char32_t kFinalSigma = 0x3C2;

// The ranges of capitals, sorted and disjoint.
constexpr auto kCapitals = std::to_array<CapitalRange>({
    {'A', 'Z', Rule::kAdd, 32},
    {0xC0, 0xD6, Rule::kAdd, 32},  // Latin-1, around the multiplication sign
    {0xD8, 0xDE, Rule::kAdd, 32},
    {0x100, 0x12F, Rule::kEvenPlusOne, 0},  // Latin Extended-A
    {0x132, 0x137, Rule::kEvenPlusOne, 0},
    {0x139, 0x148, Rule::kOddPlusOne, 0},
    {0x14A, 0x177, Rule::kEvenPlusOne, 0},
    {0x178, 0x178, Rule::kAdd, -121},
    {0x179, 0x17E, Rule::kOddPlusOne, 0},
    {0x370, 0x373, Rule::kEvenPlusOne, 0},  // Greek
    {0x376, 0x377, Rule::kEvenPlusOne, 0},
    {0x37F, 0x37F, Rule::kAdd, 116},
    {0x386, 0x386, Rule::kAdd, 38},
    {0x388, 0x38A, Rule::kAdd, 37},
    {0x38C, 0x38C, Rule::kAdd, 64},
    {0x38E, 0x38F, Rule::kAdd, 63},
    {0x391, 0x3A1, Rule::kAdd, 32},
    {0x3A3, 0x3AB, Rule::kAdd, 32},
    {0x3CF, 0x3CF, Rule::kAdd, 8},
    {0x3D8, 0x3EF, Rule::kEvenPlusOne, 0},
    {0x3F4, 0x3F4, Rule::kAdd, -60},
    {0x3F7, 0x3F7, Rule::kAdd, 1},
    {0x3F9, 0x3F9, Rule::kAdd, -7},
    {0x3FA, 0x3FA, Rule::kAdd, 1},
    {0x3FD, 0x3FF, Rule::kAdd, -130},
    {0x400, 0x40F, Rule::kAdd, 80},  // Cyrillic
    {0x410, 0x42F, Rule::kAdd, 32},
    {0x460, 0x481, Rule::kEvenPlusOne, 0},
    {0x48A, 0x4BF, Rule::kEvenPlusOne, 0},
    {0x4C0, 0x4C0, Rule::kAdd, 15},
    {0x4C1, 0x4CE, Rule::kOddPlusOne, 0},
    {0x4D0, 0x52F, Rule::kEvenPlusOne, 0},
    {0x1E00, 0x1E95, Rule::kEvenPlusOne, 0},  // Latin Extended Additional
    {0x1E9E, 0x1E9E, Rule::kAdd, -7615},      // the capital sharp s
    {0x1EA0, 0x1EFF, Rule::kEvenPlusOne, 0},
});

char32_t lowercase_of(char32_t c) {
  const auto range = std::find_if(kCapitals.begin(), kCapitals.end(),
                                  [c](const CapitalRange& r) { return c >= r.first && c <= r.last; });
  if (range == kCapitals.end()) return c;
  if (range->rule == Rule::kAdd) return static_cast<char32_t>(static_cast<int>(c) + range->offset);
  const bool is_capital = (c % 2 == 0) == (range->rule == Rule::kEvenPlusOne);
  return is_capital ? c + 1 : c;
}

struct CharacterRange {
  char32_t first, last;
};

// Letters with case, in the scripts of the table above.
constexpr auto kCasedLetters = std::to_array<CharacterRange>({
    {'A', 'Z'},     {'a', 'z'},     {0xAA, 0xAA},   {0xB5, 0xB5},   {0xBA, 0xBA},     {0xC0, 0xD6},
    {0xD8, 0xF6},   {0xF8, 0x1BA},  {0x1BC, 0x1BF}, {0x1C4, 0x293}, {0x295, 0x2AF},   {0x370, 0x373},
    {0x376, 0x377}, {0x37B, 0x37D}, {0x37F, 0x37F}, {0x386, 0x386}, {0x388, 0x38A},   {0x38C, 0x38C},
    {0x38E, 0x3A1}, {0x3A3, 0x3F5}, {0x3F7, 0x481}, {0x48A, 0x52F}, {0x1E00, 0x1EFF},
});

// Characters that may stand inside a word and do not show where it ends: apostrophes, full stops, accents,
// joiners.
constexpr auto kCaseIgnorable = std::to_array<CharacterRange>({
    {'\'', '\''},     {'.', '.'},       {':', ':'},       {'^', '^'},       {'`', '`'},
    {0xA8, 0xA8},     {0xAD, 0xAD},     {0xAF, 0xAF},     {0xB4, 0xB4},     {0xB7, 0xB8},
    {0x2B0, 0x36F},   {0x374, 0x375},   {0x37A, 0x37A},   {0x384, 0x385},   {0x387, 0x387},
    {0x483, 0x489},   {0x180E, 0x180E}, {0x200B, 0x200F}, {0x2018, 0x2019}, {0x2024, 0x2024},
    {0x2027, 0x2027}, {0x202A, 0x202E}, {0x2060, 0x2064}, {0x2066, 0x206F}, {0xFEFF, 0xFEFF},
});

template <std::size_t size>
bool holds(const std::array<CharacterRange, size>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](CharacterRange r) { return c >= r.first && c <= r.last; });
}

// A capital sigma is final when a letter precedes it and none follows.
bool is_final_sigma(const std::vector<CodePoint>& text, std::size_t position) {
  std::size_t before = position;
  while (before > 0 && holds(kCaseIgnorable, text[before - 1].value)) --before;
  if (before == 0 || !holds(kCasedLetters, text[before - 1].value)) return false;
  std::size_t after = position + 1;
  while (after < text.size() && holds(kCaseIgnorable, text[after].value)) ++after;
  return after == text.size() || !holds(kCasedLetters, text[after].value);
}

}  // namespace

std::string to_lowercase(std::string_view text) {
  std::vector<CodePoint> points;
  for (std::size_t at = 0; at < text.size(); at += points.back().bytes)
    points.push_back(decode_utf8(text, at));

  std::string lower;
  lower.reserve(text.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const CodePoint point = points[i];
    if (point.is_malformed()) {
      lower += text[at];
    } else if (point.value == kDottedCapitalI) {
      lower += "i\u0307";
    } else if (point.value == kCapitalSigma && is_final_sigma(points, i)) {
      append_utf8(lower, kFinalSigma);
    } else {
      append_utf8(lower, lowercase_of(point.value));
    }
    at += point.bytes;
  }
  return lower;
}

}  // namespace plainformer
