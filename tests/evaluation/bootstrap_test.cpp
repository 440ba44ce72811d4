#include "evaluation/bootstrap.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "evaluation/bleu.h"
#include "evaluation/segments.h"

namespace plainformer {
namespace {

// A sentence of six words that are right, or right but for the last one or two.
BleuCounts counts_of(const char* words) {
  return bleu_counts(words, "a b c d e f", BleuTokenization::kAtSpaces);
}

Interval interval_of(const std::vector<BleuCounts>& segments) {
  return bootstrap_interval(
      segments, [](const BleuCounts& sum) { return bleu_score(sum, BleuSmoothing::kNone).score; });
}

// With two sentences a resampled text has twice the first, both, or twice the second, with probabilities 1/4,
// 1/2 and 1/4. So the middle 95 % reach from the one to the other.
TEST(Bootstrap, OfTwoSentencesReachesFromOneToTheOther) {
  const BleuCounts good = counts_of("a b c d e f"), worse = counts_of("a b c d e g");
  const Interval interval = interval_of(std::vector{good, worse});
  EXPECT_DOUBLE_EQ(interval.low, bleu_score(worse, BleuSmoothing::kNone).score);
  EXPECT_DOUBLE_EQ(interval.high, 100);
}

// Sentences that are right or wrong by chance.
std::vector<BleuCounts> noisy_segments(Index count, double right, std::uint64_t seed) {
  const BleuCounts good = counts_of("a b c d e f"), bad = counts_of("a b c d x y");
  Random random(random_stream(seed, 0, 0));
  std::vector<BleuCounts> segments;
  for (Index i = 0; i < count; ++i) segments.push_back(random.uniform() < right ? good : bad);
  return segments;
}

// Of 100 texts, about 95 should have an interval that holds the score of a very long text.
TEST(Bootstrap, TheIntervalHoldsTheTrueScoreInAbout95PercentOfTheTexts) {
  const double truth = bleu_score(sum_of(noisy_segments(200000, 0.6, 1)), BleuSmoothing::kNone).score;
  int held = 0;
  for (std::uint64_t text = 0; text < 100; ++text) {
    const Interval interval = interval_of(noisy_segments(150, 0.6, 1000 + text));
    held += interval.low <= truth && truth <= interval.high;
  }
  EXPECT_GE(held, 88);
  EXPECT_LE(held, 98);  // 99 if an interval reached from the lowest to the highest resample
}

}  // namespace
}  // namespace plainformer
