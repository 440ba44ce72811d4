#include "data/unicode.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

using namespace unicode;

TEST(Unicode, KnowsMarksBracketsAndWhatNobodySees) {
  EXPECT_TRUE(is_mark(0x308) && is_mark(0xE31) && is_mark(0xFE0F));
  EXPECT_FALSE(is_mark('a') || is_mark(0xE4) || is_mark(0x200D));
  EXPECT_TRUE(is_opening('(') && is_opening(0x201C) && is_opening(0x300C));
  EXPECT_FALSE(is_opening(')') || is_opening('"') || is_opening(0x201D));
  EXPECT_TRUE(is_invisible(0xA0) && is_invisible(0xAD) && is_invisible(0x7F) && is_invisible(0x2028));
  EXPECT_FALSE(is_invisible('a') || is_invisible(0x301));
}

TEST(Unicode, KnowsWritingWithoutSpaces) {
  for (const char32_t c :
       {0x4F60, 0x3002, 0x3042, 0x30FC, 0xFF0C, 0xFF71, 0xE01, 0xE81, 0x1780, 0x1000, 0x20000})
    EXPECT_TRUE(is_unspaced(c)) << static_cast<unsigned>(c);
  for (const char32_t c :
       std::initializer_list<char32_t>{'a', ',', 0xD55C, 0x5D0, 0x905, 0xE50, 0xFF21, 0x3000, 0x201C})
    EXPECT_FALSE(is_unspaced(c)) << static_cast<unsigned>(c);
}

TEST(Unicode, FindsTheCapitalOfASmallLetter) {
  EXPECT_EQ(capital_of('a'), char32_t{'A'});
  EXPECT_EQ(capital_of(0xE4), char32_t{0xC4});
  EXPECT_EQ(capital_of(0x44F), char32_t{0x42F});
  EXPECT_EQ(capital_of('k'), char32_t{'K'});  // not the sign of Kelvin
  for (const char32_t c : std::initializer_list<char32_t>{'A', '1', 0x4F60, 0x131})
    EXPECT_EQ(capital_of(c), c);
}

TEST(Lowercase, OneWordOfEachScript) {
  EXPECT_EQ(to_lowercase("HELLO, World 42"), "hello, world 42");
  EXPECT_EQ(to_lowercase("GRÖẞE ÀÉÎÕÜÞ ÷×"), "größe àéîõüþ ÷×");
  EXPECT_EQ(to_lowercase("ŁÓDŹ ŽIŽKOV ŸĲ"), "łódź žižkov ÿĳ");
  EXPECT_EQ(to_lowercase("ΆΈΊΌΎΏ ΑΩΫ"), "άέίόύώ αωϋ");
  EXPECT_EQ(to_lowercase("МОСКВА Ёлка ЎҐ"), "москва ёлка ўґ");
  EXPECT_EQ(to_lowercase("VIỆT NAM ẠẶ"), "việt nam ạặ");
}

TEST(Lowercase, SigmaAtTheEndOfAWordIsFinal) {
  EXPECT_EQ(to_lowercase("ΣΟΦΟΣ ΔΡΟΜΟΣ."), "σοφος δρομος.");
  EXPECT_EQ(to_lowercase("ΟΔΟΣ'"), "οδος'");    // an apostrophe ends no word ...
  EXPECT_EQ(to_lowercase("ΟΔΟΣ'Α"), "οδοσ'α");  // ... so the letter after it counts
  EXPECT_EQ(to_lowercase("Σ"), "σ");            // alone, it has no letter before it
}

TEST(Lowercase, TheTurkishCapitalBecomesTwoCodePoints) {
  EXPECT_EQ(to_lowercase("\u0130"), "i\u0307");
}

TEST(Lowercase, KeepsMalformedBytes) {
  EXPECT_EQ(to_lowercase("A\xff\xc3 B\xe7\x8c"), "a\xff\xc3 b\xe7\x8c");
}

TEST(Lowercase, SigmaLooksAcrossAccentsOfAnyScript) {
  EXPECT_EQ(to_lowercase("𐐀Σ"), "𐐨ς");
  EXPECT_EQ(to_lowercase("ΑΣ\u1dc0Α ΑΣ\U000e0100"), "ασ\u1dc0α ας\U000e0100");
  EXPECT_EQ(to_lowercase("猫Σ"), "猫σ");  // a character without case is no letter before it
}

}  // namespace
}  // namespace plainformer
