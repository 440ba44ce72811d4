#include "evaluation/chrf.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

using Order = ChrfOrderCounts;

// "abc" against "ab d": of a, b, c two are right, of ab, bc one, of abc none; the reference has a, b, d and
// ab, bd, abd.
TEST(Chrf, CountsByHand) {
  const ChrfCounts counts = chrf_counts("abc", "ab d");
  EXPECT_EQ(counts.orders[0], (Order{3, 3, 2}));
  EXPECT_EQ(counts.orders[1], (Order{2, 2, 1}));
  EXPECT_EQ(counts.orders[2], (Order{1, 1, 0}));
  for (std::size_t i = 3; i < counts.orders.size(); ++i) EXPECT_EQ(counts.orders[i], Order{}) << i;
}

// Three orders count: precision and recall are (2/3 + 1/2 + 0) / 3 = 7/18, and so is the score.
TEST(Chrf, ScoreByHand) {
  EXPECT_DOUBLE_EQ(chrf_score(chrf_counts("abc", "ab d")), 100 * 7.0 / 18);
  EXPECT_EQ(chrf_text(chrf_score(chrf_counts("abc", "ab d"))), "chrF2 = 38.89");
}

// "ab" against "abcd": precision 1, recall (2/4 + 1/3) / 2 = 5/12, and 5 P R / (4 P + R) = 25/53. The
// hypothesis has no n-gram of three, so the orders from 3 do not count.
TEST(Chrf, RecallWeighsMoreThanPrecision) {
  EXPECT_DOUBLE_EQ(chrf_score(chrf_counts("ab", "abcd")), 100 * 25.0 / 53);
  EXPECT_GT(chrf_score(chrf_counts("abcd", "ab")), chrf_score(chrf_counts("ab", "abcd")));
}

TEST(Chrf, EmptySegmentsAreSegments) {
  EXPECT_EQ(chrf_score(chrf_counts("", "")), 0);
  EXPECT_EQ(chrf_score(chrf_counts("", "a")), 0);
}

}  // namespace
}  // namespace plainformer
