#include "evaluation/bleu_tokenizer.h"

#include <gtest/gtest.h>

#include <chrono>

namespace plainformer {
namespace {

using Tokens = std::vector<std::string>;

Tokens tokenize_13a(std::string_view segment) {
  return tokenize(BleuTokenization::k13a, segment);
}
Tokens tokenize_at_spaces(std::string_view segment) {
  return tokenize(BleuTokenization::kAtSpaces, segment);
}
Tokens tokenize_compounds(std::string_view segment) {
  return tokenize(BleuTokenization::kCompounds, segment);
}

TEST(BleuTokenizer, CutsAsTheRulesOf13aSay) {
  const std::pair<const char*, Tokens> cases[] = {
      {"Yes, (really)!", {"Yes", ",", "(", "really", ")", "!"}},
      {"a/b=c_d", {"a", "/", "b", "=", "c", "_", "d"}},
      {"it's well-known", {"it's", "well-known"}},
      {"1,000.5", {"1,000.5"}},  // stops stay between digits only
      {"in 1999. Then", {"in", "1999", ".", "Then"}},
      {"a .5 b", {"a", ".", "5", "b"}},
      {"x,7", {"x", ",", "7"}},
      {"so...", {"so", ".", ".", "."}},
      {"5..5", {"5", ".", ".", "5"}},
      {"3-4 x-4 4-x", {"3", "-", "4", "x-4", "4", "-", "x"}},
      {"&quot;a&quot; &lt;b&gt;", {"\"", "a", "\"", "<", "b", ">"}},
      {"&amp;lt;", {"<"}},                 // &amp; comes before &lt;
      {"&amp;quot;", {"&", "quot", ";"}},  // but after &quot;
      {"a <skipped> b", {"a", "b"}},
      {"hyphen-\nated line\nbreak", {"hyphenated", "line", "break"}},
      {"hyphen-\n", {"hyphen-"}},  // white space at the end goes first
      {"a\u00a0b\u3000c\u2009d\u0085", {"a", "b", "c", "d"}},
      {"a\u200bb", {"a\u200bb"}},               // a zero-width space is none
      {"\u00c5 \u0120", {"\u00c5", "\u0120"}},  // their last bytes, 85 and A0, are no spaces
      {"", {}},
      {" \t\u00a0\r", {}},
      {"a\xff! \xc3", {"a\xff", "!", "\xc3"}},
  };
  for (const auto& [segment, tokens] : cases) EXPECT_EQ(tokenize_13a(segment), tokens) << segment;
  EXPECT_EQ(tokenize_at_spaces(""), Tokens{});
}

TEST(BleuTokenizer, TakesTimeThatGrowsWithTheLine) {  // where it grows with its square, a minute
  constexpr std::size_t kEntities = 1'000'000;
  std::string line;
  for (std::size_t i = 0; i < kEntities; ++i) line += "&amp;";
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(tokenize_13a(line).size(), kEntities);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(BleuTokenizer, TokenizedTextIsSplitAtAsciiSpaceOnly) {
  EXPECT_EQ(tokenize_at_spaces("  a.b \t c\u00a0d \r"), (Tokens{"a.b", "c\u00a0d"}));
}

TEST(TokenizeNone, SplitsAtAnyWhiteSpace) {
  EXPECT_EQ(tokenize(BleuTokenization::kNone, "a.b\u00a0c,\u3000&amp; \t"), (Tokens{"a.b", "c,", "&amp;"}));
}

TEST(TokenizeChar, EachCharacterButWhiteSpaceIsAToken) {
  EXPECT_EQ(tokenize(BleuTokenization::kChar, " aé 猫\u3000e\u0301 "),
            (Tokens{"a", "é", "猫", "e", "\u0301"}));
  EXPECT_EQ(tokenize(BleuTokenization::kChar, " "), Tokens{});
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
