#include "evaluation/bootstrap.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "evaluation/bleu.h"

namespace plainformer {
namespace {

using Lines = std::vector<std::string>;

std::vector<BleuCounts> segments_of(const Lines& hypotheses, const Lines& references) {
  return bleu_segments(hypotheses, {references}, kMultiBleu);
}

ScoreOfSentences bleu_of(const std::vector<BleuCounts>& segments) {
  return score_of_sum(segments,
                      [](const BleuCounts& sum) { return bleu_score(sum, BleuSmoothing::kNone).score; });
}

Interval interval_of(const std::vector<BleuCounts>& segments) {
  return bootstrap_interval(std::ssize(segments), bleu_of(segments));
}

PairedBootstrap paired(const std::vector<BleuCounts>& segments, const std::vector<BleuCounts>& baseline) {
  return paired_bootstrap(std::ssize(segments), bleu_of(segments), bleu_of(baseline));
}

// With two sentences a resampled text has twice the first, both, or twice the second, with probabilities 1/4,
// 1/2 and 1/4. So the middle 95 % reach from the one to the other.
TEST(Bootstrap, OfTwoSentencesReachesFromOneToTheOther) {
  const std::vector<BleuCounts> segments =
      segments_of({"a b c d e f", "a b c d e g"}, {"a b c d e f", "a b c d e f"});
  const Interval interval = interval_of(segments);
  EXPECT_DOUBLE_EQ(interval.low, bleu_score(segments[1], BleuSmoothing::kNone).score);
  EXPECT_DOUBLE_EQ(interval.high, 100);
}

// Sentences that are right or wrong by chance.
std::vector<BleuCounts> noisy_segments(Index count, double right, std::uint64_t seed) {
  const BleuCounts good = segments_of({"a b c d e f"}, {"a b c d e f"}).front(),
                   bad = segments_of({"a b c d x y"}, {"a b c d e f"}).front();
  Random random(random_stream(seed, 0, 0));
  std::vector<BleuCounts> segments;
  for (Index i = 0; i < count; ++i) segments.push_back(random.uniform() < right ? good : bad);
  return segments;
}

// Of 100 texts, about 95 should have an interval that holds the score of a very long text.
TEST(Bootstrap, TheIntervalHoldsTheTrueScoreInAbout95PercentOfTheTexts) {
  const double truth = bleu_score(noisy_segments(200000, 0.6, 1), BleuSmoothing::kNone).score;
  int held = 0;
  for (std::uint64_t text = 0; text < 100; ++text) {
    const Interval interval = interval_of(noisy_segments(150, 0.6, 1000 + text));
    held += interval.low <= truth && truth <= interval.high;
  }
  EXPECT_GE(held, 88);
  EXPECT_LE(held, 98);  // 99 if an interval reached from the lowest to the highest resample
}

TEST(PairedBootstrap, OfATextWithItselfFindsNoDifference) {
  const std::vector<BleuCounts> segments = noisy_segments(50, 0.5, 1);
  const PairedBootstrap result = paired(segments, segments);
  EXPECT_EQ(result.difference, 0);
  EXPECT_EQ(result.interval.low, 0);
  EXPECT_EQ(result.interval.high, 0);
  EXPECT_EQ(result.probability, 1);
}

// Each sentence is a little better, whichever are drawn: hard sentences are hard for both.
TEST(PairedBootstrap, SeesASmallDifferenceThatUnpairedIntervalsHide) {
  std::vector<BleuCounts> segments = noisy_segments(200, 0.5, 1), baseline = segments;
  for (std::size_t i = 0; i < 20; ++i) {
    segments[10 * i] = segments_of({"a b c d e f"}, {"a b c d e f"}).front();
    baseline[10 * i] = segments_of({"a b c d x y"}, {"a b c d e f"}).front();
  }
  const PairedBootstrap result = paired(segments, baseline);
  EXPECT_GT(result.interval.low, 0);
  EXPECT_LT(result.probability, 0.01);
  EXPECT_GT(interval_of(baseline).high, interval_of(segments).low);
}

TEST(PairedBootstrap, TextsOfOtherLengthsAreAProgrammersError) {
  EXPECT_THROW(paired(noisy_segments(3, 0.5, 1), noisy_segments(2, 0.5, 1)), std::logic_error);
  EXPECT_THROW(interval_of({}), std::logic_error);
}

}  // namespace
}  // namespace plainformer
