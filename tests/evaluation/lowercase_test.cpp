#include "evaluation/lowercase.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

TEST(Lowercase, OneWordOfEachScript) {
  EXPECT_EQ(to_lowercase("HELLO, World 42"), "hello, world 42");
  EXPECT_EQ(to_lowercase("GRÖẞE ÀÉÎÕÜÞ ÷×"), "größe àéîõüþ ÷×");
  EXPECT_EQ(to_lowercase("ŁÓDŹ ŽIŽKOV ŸĲ"), "łódź žižkov ÿĳ");
  EXPECT_EQ(to_lowercase("ΆΈΊΌΎΏ ΑΩΫ"), "άέίόύώ αωϋ");
  EXPECT_EQ(to_lowercase("МОСКВА Ёлка ЎҐ"), "москва ёлка ўґ");
  EXPECT_EQ(to_lowercase("VIỆT NAM ẠẶ"), "việt nam ạặ");
}

TEST(Lowercase, LeavesSmallLettersAndOthersAlone) {
  const std::string text = "straße ÿ łódź σς ё 猫在桌子上睡觉 😀";
  EXPECT_EQ(to_lowercase(text), text);
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

TEST(Lowercase, CoversTheRarerScripts) {
  EXPECT_EQ(to_lowercase("ＡＺ ƓƎ ȘȚ"), "ａｚ ɠǝ șț");
  EXPECT_EQ(to_lowercase("ԲԱՐԵՒ ᲗᲑᲘᲚᲘᲡᲘ ᏣᎳᎩ"),
            "բարեւ თბილისი ꮳꮃꭹ");
  EXPECT_EQ(to_lowercase("ᾈ ᾼ Ὧ Ⅻ Ⓐ 𐐀 𞤀"), "ᾀ ᾳ ὧ ⅻ ⓐ 𐐨 𞤢");
  EXPECT_EQ(to_lowercase("ǄǅǆK Å Ω"), "ǆǆǆk å ω");  // title case; the signs for kelvin, ångström and ohm
}

TEST(Lowercase, SigmaLooksAcrossAccentsOfAnyScript) {
  EXPECT_EQ(to_lowercase("𐐀Σ"), "𐐨ς");
  EXPECT_EQ(to_lowercase("ΑΣ\u1dc0Α ΑΣ\U000e0100"), "ασ\u1dc0α ας\U000e0100");
  EXPECT_EQ(to_lowercase("猫Σ"), "猫σ");  // a character without case is no letter before it
}

}  // namespace
}  // namespace plainformer
