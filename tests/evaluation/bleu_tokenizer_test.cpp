#include "evaluation/bleu_tokenizer.h"

#include <gtest/gtest.h>

#include <chrono>

namespace plainformer {
namespace {

using Tokens = std::vector<std::string>;

TEST(BleuTokenizer, SplitsPunctuationOff) {
  EXPECT_EQ(tokenize_13a("Yes, (really)!"), (Tokens{"Yes", ",", "(", "really", ")", "!"}));
  EXPECT_EQ(tokenize_13a("a/b=c_d"), (Tokens{"a", "/", "b", "=", "c", "_", "d"}));
}

TEST(BleuTokenizer, KeepsApostrophesAndHyphensInsideWords) {
  EXPECT_EQ(tokenize_13a("it's well-known"), (Tokens{"it's", "well-known"}));
}

TEST(BleuTokenizer, KeepsStopsBetweenDigitsOnly) {
  EXPECT_EQ(tokenize_13a("1,000.5"), (Tokens{"1,000.5"}));
  EXPECT_EQ(tokenize_13a("in 1999. Then"), (Tokens{"in", "1999", ".", "Then"}));
  EXPECT_EQ(tokenize_13a("a .5 b"), (Tokens{"a", ".", "5", "b"}));
  EXPECT_EQ(tokenize_13a("x,7"), (Tokens{"x", ",", "7"}));
}

TEST(BleuTokenizer, SplitsRunsOfStops) {
  EXPECT_EQ(tokenize_13a("so..."), (Tokens{"so", ".", ".", "."}));
  EXPECT_EQ(tokenize_13a("5..5"), (Tokens{"5", ".", ".", "5"}));
}

TEST(BleuTokenizer, SplitsAHyphenAfterADigit) {
  EXPECT_EQ(tokenize_13a("3-4 x-4 4-x"), (Tokens{"3", "-", "4", "x-4", "4", "-", "x"}));
}

TEST(BleuTokenizer, UndoesEntitiesInTheirOrder) {
  EXPECT_EQ(tokenize_13a("&quot;a&quot; &lt;b&gt;"), (Tokens{"\"", "a", "\"", "<", "b", ">"}));
  EXPECT_EQ(tokenize_13a("&amp;lt;"), (Tokens{"<"}));                 // &amp; comes before &lt;
  EXPECT_EQ(tokenize_13a("&amp;quot;"), (Tokens{"&", "quot", ";"}));  // but after &quot;
}

TEST(BleuTokenizer, TakesTimeThatGrowsWithTheLine) {  // where it grows with its square, a minute
  constexpr std::size_t kEntities = 1'000'000;
  std::string line;
  for (std::size_t i = 0; i < kEntities; ++i) line += "&amp;";
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(tokenize_13a(line).size(), kEntities);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(BleuTokenizer, DropsMarkup) {
  EXPECT_EQ(tokenize_13a("a <skipped> b"), (Tokens{"a", "b"}));
  EXPECT_EQ(tokenize_13a("hyphen-\nated line\nbreak"), (Tokens{"hyphenated", "line", "break"}));
  EXPECT_EQ(tokenize_13a("hyphen-\n"), (Tokens{"hyphen-"}));  // white space at the end goes first
}

TEST(BleuTokenizer, SplitsAtUnicodeSpaces) {
  EXPECT_EQ(tokenize_13a("a\u00a0b\u3000c\u2009d\u0085"), (Tokens{"a", "b", "c", "d"}));
  EXPECT_EQ(tokenize_13a("a\u200bb"), (Tokens{"a\u200bb"}));  // a zero-width space is none
}

TEST(BleuTokenizer, ALetterWhoseLastByteLooksLikeASpaceIsALetter) {
  EXPECT_EQ(tokenize_13a("\u00c5 \u0120"), (Tokens{"\u00c5", "\u0120"}));  // C3 85 and C4 A0
}

TEST(BleuTokenizer, EmptySegmentsHaveNoTokens) {
  EXPECT_EQ(tokenize_13a(""), Tokens{});
  EXPECT_EQ(tokenize_13a(" \t\u00a0\r"), Tokens{});
  EXPECT_EQ(tokenize_at_spaces(""), Tokens{});
}

TEST(BleuTokenizer, MalformedBytesAreKept) {
  EXPECT_EQ(tokenize_13a("a\xff! \xc3"), (Tokens{"a\xff", "!", "\xc3"}));
}

TEST(BleuTokenizer, TokenizedTextIsSplitAtAsciiSpaceOnly) {
  EXPECT_EQ(tokenize_at_spaces("  a.b \t c\u00a0d \r"), (Tokens{"a.b", "c\u00a0d"}));
}

TEST(TokenizeNone, SplitsAtAnyWhiteSpace) {
  EXPECT_EQ(tokenize_none("a.b\u00a0c,\u3000&amp; \t"), (Tokens{"a.b", "c,", "&amp;"}));
}

TEST(TokenizeChar, EachCharacterButWhiteSpaceIsAToken) {
  EXPECT_EQ(tokenize_char(" aé 猫\u3000e\u0301 "), (Tokens{"a", "é", "猫", "e", "\u0301"}));
  EXPECT_EQ(tokenize_char(" "), Tokens{});
}

TEST(TokenizeCompounds, AHyphenInsideAWordIsATokenOfItsOwn) {
  EXPECT_EQ(tokenize_compounds("rich-text format ."),
            (Tokens{"rich", "##AT##-##AT##", "text", "format", "."}));
  EXPECT_EQ(tokenize_compounds("Bär-Öl"), (Tokens{"Bär", "##AT##-##AT##", "Öl"}));
}

TEST(TokenizeCompounds, AHyphenBesideASpaceIsLeftAlone) {
  EXPECT_EQ(tokenize_compounds("-a b- - c\t-d -"), (Tokens{"-a", "b-", "-", "c", "-d", "-"}));
  EXPECT_EQ(tokenize_compounds(""), Tokens{});
  EXPECT_EQ(tokenize_compounds("a-"), Tokens{"a-"});
}

// As the authors' substitution s/(\S)-(\S)/$1 ##AT##-##AT## $2/g, which takes anything but a space for a
// word.
TEST(TokenizeCompounds, MatchesDoNotOverlap) {
  EXPECT_EQ(tokenize_compounds("a-b-c"), (Tokens{"a", "##AT##-##AT##", "b-c"}));
  EXPECT_EQ(tokenize_compounds("ab-cd-ef"), (Tokens{"ab", "##AT##-##AT##", "cd", "##AT##-##AT##", "ef"}));
  EXPECT_EQ(tokenize_compounds("a--b"), (Tokens{"a", "##AT##-##AT##", "-b"}));
  EXPECT_EQ(tokenize_compounds("---"), (Tokens{"-", "##AT##-##AT##", "-"}));
}

}  // namespace
}  // namespace plainformer
