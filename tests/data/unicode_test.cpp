#include "data/unicode.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

using namespace unicode;

TEST(Unicode, KnowsTheClassOfACharacter) {
  const std::pair<CharacterClass, std::u32string_view> examples[] = {
      {CharacterClass::kLetter, U"aä\uD55C\u05D0\u0905\uFF21\u0378"},
      {CharacterClass::kNumber, U"7\u0E50²Ⅳ"},
      {CharacterClass::kMark, U"\u0308\u0E31\uFE0F"},
      {CharacterClass::kSymbol, U").,\"+\u201D"},
      {CharacterClass::kOpening, U"(\u201C«"},
      {CharacterClass::kInvisible, U" \u00A0\u00AD\u007F\u2028\u200D\u3000"},
      {CharacterClass::kUnspaced, U"你。あー，\uFF71「\u0E01\u0E81\u1780\u1000\U00020000"}};
  for (const auto& [of_all, characters] : examples)
    for (const char32_t c : characters) EXPECT_EQ(class_of(c), of_all) << static_cast<unsigned>(c);
}

TEST(Unicode, FindsTheCapitalOfASmallLetter) {
  EXPECT_EQ(capital_of('a'), char32_t{'A'});
  EXPECT_EQ(capital_of(0xE4), char32_t{0xC4});
  EXPECT_EQ(capital_of(0x44F), char32_t{0x42F});
  EXPECT_EQ(capital_of('k'), char32_t{'K'});  // not the sign of Kelvin
  for (const char32_t c : std::initializer_list<char32_t>{'A', '1', 0x4F60, 0x131})
    EXPECT_EQ(capital_of(c), c);
}

// tests/evaluation/scores_fixture_test.cpp compares each character with Python.
TEST(Lowercase, SigmaAtTheEndOfAWordIsFinal) {
  EXPECT_EQ(to_lowercase("ΣΟΦΟΣ ΔΡΟΜΟΣ."), "σοφος δρομος.");
  EXPECT_EQ(to_lowercase("Σ"), "σ");  // alone, it has no letter before it
}

TEST(Lowercase, KeepsMalformedBytes) {
  EXPECT_EQ(to_lowercase("A\xff\xc3 B\xe7\x8c"), "a\xff\xc3 b\xe7\x8c");
}

}  // namespace
}  // namespace plainformer
