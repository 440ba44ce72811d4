#include "core/strings.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

TEST(Utf8, DecodesEachLength) {
  const std::string text = "a\u00df\u732b\U0001F600";  // 1, 2, 3 and 4 bytes
  const char32_t values[] = {'a', 0xDF, 0x732B, 0x1F600};
  std::size_t position = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const Character character = decode_utf8(text, position);
    EXPECT_EQ(character.value, values[i]);
    EXPECT_EQ(character.bytes.size(), i + 1);
    position += character.bytes.size();
  }
  EXPECT_EQ(position, text.size());
}

TEST(Utf8, RoundTripsEveryCodePoint) {
  for (char32_t value = 0; value <= 0x10FFFF; ++value) {
    if (value >= 0xD800 && value <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, value);
    const Character character = decode_utf8(text, 0);
    ASSERT_EQ(character.value, value);
    ASSERT_EQ(character.bytes, text);
    ASSERT_FALSE(character.is_malformed());
  }
}

TEST(Utf8, AMalformedByteStandsForItself) {
  const char* const malformed[] = {
      "\x80",              // a continuation without a lead
      "\xC0\xAF",          // overlong '/'
      "\xE0\x80\xAF",      // the same in three bytes
      "\xF0\x82\x82\xAC",  // an overlong euro sign
      "\xED\xA0\x80",      // a surrogate
      "\xF4\x90\x80\x80",  // above U+10FFFF
      "\xC3",              // cut short at the end of the text
      "\xE7\x8C",          //
      "\xE7\x8C(",         // cut short by another character
      "\xFF",
  };
  for (const char* text : malformed) {
    const Character character = decode_utf8(text, 0);
    EXPECT_TRUE(character.is_malformed()) << testing::PrintToString(text);
    EXPECT_EQ(character.bytes.size(), 1u);
  }
}

TEST(Utf8, NeverReadsPastTheEndOfTheText) {
  const std::string_view whole = "\u732b";
  EXPECT_FALSE(decode_utf8(whole, 0).is_malformed());
  EXPECT_TRUE(decode_utf8(whole.substr(0, 2), 0).is_malformed());
}

TEST(WhiteSpace, HasThe25CharactersOfUnicode) {
  int count = 0;
  for (char32_t value = 0; value <= 0x10FFFF; ++value) count += is_white_space(value) ? 1 : 0;
  EXPECT_EQ(count, 25);
  for (const char32_t value :
       {0x9, 0xD, 0x20, 0x85, 0xA0, 0x1680, 0x2000, 0x200A, 0x2029, 0x202F, 0x205F, 0x3000})
    EXPECT_TRUE(is_white_space(value)) << static_cast<int>(value);
}

TEST(SplitAt, HasOnePartMoreThanSeparatorsAndJoinUndoesIt) {
  using Parts = std::vector<std::string>;
  EXPECT_EQ(split_at(',', "a,,b"), (Parts{"a", "", "b"}));
  EXPECT_EQ(split_at(',', ",a,"), (Parts{"", "a", ""}));
  EXPECT_EQ(split_at(',', ""), Parts{""});
  EXPECT_EQ(join(", ", {"a", "", "b"}), "a, , b");
  EXPECT_EQ(join(", ", {}), "");
}

}  // namespace
}  // namespace plainformer
