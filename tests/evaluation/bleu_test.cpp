#include "evaluation/bleu.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plainformer {
namespace {

using Strings = std::vector<std::string>;

TEST(Bleu, CountsByHand) {
  // "the" occurs three times in the hypothesis and twice in the reference: clipped to two.
  const BleuCounts counts = bleu_counts("the the the cat sat", {"the cat sat on the mat"}, {});
  BleuCounts expected;
  expected.matches = {4, 2, 1, 0};  // the the cat sat | the cat, cat sat | the cat sat
  expected.totals = {5, 4, 3, 2};
  expected.system_length = 5;
  expected.reference_length = 6;
  EXPECT_EQ(counts, expected);
}

TEST(Bleu, ScoreByHand) {
  BleuCounts counts;
  counts.matches = {4, 2, 1, 0};
  counts.totals = {5, 4, 3, 2};
  counts.system_length = 5;
  counts.reference_length = 6;
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
}

TEST(Bleu, EmptySegmentsAreSegments) {
  EXPECT_EQ(to_string(corpus_bleu({"", ""}, {"a b", "c"})),
            "BLEU = 0.00 0.0/0.0/0.0/0.0 (BP = 0.000 ratio = 0.000 hyp_len = 0 ref_len = 3)");
  EXPECT_EQ(to_string(corpus_bleu({"", ""}, {"", ""})),
            "BLEU = 0.00 0.0/0.0/0.0/0.0 (BP = 1.000 ratio = 0.000 hyp_len = 0 ref_len = 0)");
}

TEST(Bleu, MultiBleuTakesTokensAsTheyCome) {
  EXPECT_EQ(bleu_counts("it 's 3,5 .", {"it 's 3,5 !"}, kMultiBleu).matches[0], 3);
  EXPECT_EQ(bleu_counts("end.", {"end"}, kMultiBleu).matches[0], 0);
  EXPECT_EQ(bleu_counts("end.", {"end"}, {}).matches[0], 1);
}

TEST(Bleu, SplittingCompoundsCountsTheirParts) {
  const BleuCounts counts = bleu_counts("die U-Bahn", {"eine U-Bahn"}, kCompoundSplitBleu);
  EXPECT_EQ(counts.matches, (std::array<Index, 4>{3, 2, 1, 0}));
  EXPECT_EQ(counts.system_length, 4);
}

// "a a a" is clipped to the two of the first reference, "b" to the one of the second; they do not add up.
TEST(Bleu, OfSeveralReferencesTheOneWithMostOfAnNgramCounts) {
  const BleuCounts counts = bleu_counts("a a a b b", Strings{"a a c d", "a b x y z v"}, {});
  EXPECT_EQ(counts.matches, (std::array<Index, 4>{3, 2, 0, 0}));  // a a b | a a, a b
  EXPECT_EQ(counts.totals, (std::array<Index, 4>{5, 4, 3, 2}));
}

TEST(Bleu, TheNearestReferenceGivesTheLengthAndTheShorterOfTwo) {
  const auto reference_length = [](const Strings& references) {
    return bleu_counts("a b c d", references, {}).reference_length;
  };
  EXPECT_EQ(reference_length({"a", "a b c d e", "a b c d e f g"}), 5);
  EXPECT_EQ(reference_length({"a b c d e", "a b c"}), 3);
  EXPECT_EQ(reference_length({"a b c", "a b c d e"}), 3);
}

TEST(Bleu, UnequalLineCountsAreRefusedWithBothCounts) {
  try {
    corpus_bleu({"a", "b"}, {"a", "b", "c"});
    FAIL() << "expected an error";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "BLEU: 2 lines of hypotheses, but 3 lines of references (hint: line i of one file belongs "
                 "to line i of "
                 "the other)");
  }
  EXPECT_THROW(corpus_bleu({}, {}), std::runtime_error);
}

TEST(Bleu, TheSignatureNamesWhatChangesTheScore) {
  EXPECT_EQ(bleu_signature({}, "0.1.0"),
            "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|by:plainformer|version:0.1.0");
  BleuOptions options = kMultiBleu;
  options.lowercase = true;
  EXPECT_EQ(bleu_signature(options, "2"),
            "nrefs:1|case:lc|eff:no|tok:spaces|smooth:none|by:plainformer|version:2");
  EXPECT_EQ(bleu_signature(kCompoundSplitBleu, "2"),
            "nrefs:1|case:mixed|eff:no|tok:spaces+compounds|smooth:none|by:plainformer|version:2");
  EXPECT_EQ(bleu_signature({.tokenization = BleuTokenization::kChar}, "2", 3),
            "nrefs:3|case:mixed|eff:no|tok:char|smooth:exp|by:plainformer|version:2");
}

}  // namespace
}  // namespace plainformer
