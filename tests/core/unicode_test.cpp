#include "core/unicode.h"

#include <gtest/gtest.h>

namespace plainformer::unicode {
namespace {

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

}  // namespace
}  // namespace plainformer::unicode
