#include "evaluation/bleu.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <regex>

#include "evaluation/fixture_file.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

using Strings = std::vector<std::string>;

TEST(BleuTokenizer, CutsAsTheRulesOf13aSay) {
  const std::pair<const char*, Strings> cases[] = {
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
      {"line\nbreak", {"line", "break"}},
      {"", {}},
      {" \t\u00a0\r", {}},
      {"a\xff! \xc3", {"a\xff", "!", "\xc3"}},
  };
  for (const auto& [segment, tokens] : cases)
    EXPECT_EQ(tokenize(BleuTokenization::k13a, segment), tokens) << segment;
}

TEST(BleuTokenizer, TakesTimeThatGrowsWithTheLine) {  // where it grows with its square, a minute
  constexpr std::size_t kEntities = 1'000'000;
  const std::string line = repeated("&amp;", kEntities);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(tokenize(BleuTokenization::k13a, line).size(), kEntities);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(BleuTokenizer, SplitsAtWhiteSpace) {
  EXPECT_EQ(tokenize(BleuTokenization::kAtSpaces, "  a.b \t c\u00a0d \r"), (Strings{"a.b", "c\u00a0d"}));
  EXPECT_EQ(tokenize(BleuTokenization::kAtSpaces, ""), Strings{});
}

TEST(Bleu, ByHand) {
  // "the" occurs three times in the hypothesis and twice in the reference: clipped to two.
  const BleuCounts counts =
      bleu_counts("the the the cat sat", "the cat sat on the mat", BleuTokenization::k13a);
  BleuCounts expected;
  expected.matches = {4, 2, 1, 0};  // the the cat sat | the cat, cat sat | the cat sat
  expected.totals = {5, 4, 3, 2};
  expected.system_length = 5;
  expected.reference_length = 6;
  EXPECT_EQ(counts, expected);

  const BleuScore score = bleu_score(counts, BleuSmoothing::kExponential);
  // The first order without a match counts as half an n-gram: 100 / (2 * 2) = 25.
  EXPECT_DOUBLE_EQ(score.precisions[0], 80);
  EXPECT_DOUBLE_EQ(score.precisions[1], 50);
  EXPECT_DOUBLE_EQ(score.precisions[2], 100.0 / 3);
  EXPECT_DOUBLE_EQ(score.precisions[3], 25);
  EXPECT_DOUBLE_EQ(score.brevity_penalty, std::exp(1 - 6.0 / 5));
  EXPECT_DOUBLE_EQ(score.score, std::exp(-0.2) * std::pow(80.0 * 50 * (100.0 / 3) * 25, 0.25));
  EXPECT_EQ(to_string(score),
            "BLEU = 34.98 80.0/50.0/33.3/25.0 (BP = 0.819 ratio = 0.833 hyp_len = 5 ref_len = 6)");
}

TEST(Bleu, EachFurtherOrderWithoutAMatchHalvesAgain) {
  const BleuScore score = corpus_bleu({"a b c d"}, {"a x c y"});
  EXPECT_EQ(score.precisions, (std::array<double, 4>{50, 100.0 / (2 * 3), 100.0 / (4 * 2), 100.0 / (8 * 1)}));
}

TEST(Bleu, WithoutSmoothingOneOrderWithoutAMatchGivesZero) {
  const BleuScore score = corpus_bleu({"a b c d"}, {"a b c x"}, kMultiBleu);
  EXPECT_EQ(score.score, 0);
  EXPECT_DOUBLE_EQ(score.precisions[2], 50);
  EXPECT_EQ(score.precisions[3], 0);
}

TEST(Bleu, NoMatchAtAllGivesZeroEvenSmoothed) {
  EXPECT_EQ(to_string(corpus_bleu({"a b c d e"}, {"v w x y"})),
            "BLEU = 0.00 0.0/0.0/0.0/0.0 (BP = 1.000 ratio = 1.250 hyp_len = 5 ref_len = 4)");
  EXPECT_EQ(to_string(corpus_bleu({"", ""}, {"a b", "c"})),
            "BLEU = 0.00 0.0/0.0/0.0/0.0 (BP = 0.000 ratio = 0.000 hyp_len = 0 ref_len = 3)");
  EXPECT_EQ(to_string(corpus_bleu({"", ""}, {"", ""})),
            "BLEU = 0.00 0.0/0.0/0.0/0.0 (BP = 1.000 ratio = 0.000 hyp_len = 0 ref_len = 0)");
}

TEST(Bleu, UnequalLineCountsAreRefused) {
  EXPECT_THROW(corpus_bleu({"a", "b"}, {"a", "b", "c"}), std::logic_error);
  EXPECT_THROW(corpus_bleu({}, {}), std::logic_error);
}

// The count behind the paper's scores (get_ende_bleu.sh of tensor2tensor), as docs/appendix-bleu.md shows it.
TEST(Bleu, SplittingCompoundsFirstGivesTheCountOfThePaper) {
  const std::regex hyphen(R"((\S)-(\S))");
  const auto split = [&](const std::string& name) {
    Strings lines = read_fixture(name);
    for (std::string& line : lines) line = std::regex_replace(line, hyphen, "$1 ##AT##-##AT## $2");
    return lines;
  };
  const BleuScore score =
      corpus_bleu(split("three_figures.output.tok"), split("three_figures.reference.tok"), kMultiBleu);
  EXPECT_EQ(to_string(score),
            "BLEU = 73.90 91.4/79.6/71.2/63.9 (BP = 0.974 ratio = 0.974 hyp_len = 152 ref_len = 156)");
}

TEST(Bleu, TheSignatureNamesWhatChangesTheScore) {
  EXPECT_EQ(bleu_signature(kMultiBleu, "2"),
            "nrefs:1|case:mixed|eff:no|tok:spaces|smooth:none|by:plainformer|version:2");
}

}  // namespace
}  // namespace plainformer
