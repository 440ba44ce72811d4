#include "lab/experiments/softmax_gradient.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plainformer {
namespace {

// With weights w and 1 - w the Jacobian is w (1 - w) [1 -1; -1 1], of norm 2 w (1 - w).
TEST(SoftmaxGradient, IsTheNormOfTheJacobianOfTwoWeights) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const SoftmaxGradient g = softmax_gradient(4, {.keys = 2, .queries = 1, .seed = seed});
    for (const DividedScores& scores : {g.by_nothing, g.by_root, g.by_d_k})
      EXPECT_NEAR(scores.norm, 2 * scores.largest_weight * (1 - scores.largest_weight), 1e-5);
    EXPECT_GT(g.by_nothing.largest_weight, g.by_root.largest_weight);
    EXPECT_GT(g.by_root.largest_weight, g.by_d_k.largest_weight);
  }
}

// One key has the weight 1, whatever its score: no gradient.
TEST(SoftmaxGradient, IsZeroForASingleKey) {
  const SoftmaxGradient g = softmax_gradient(8, {.keys = 1, .queries = 5});
  EXPECT_EQ(g.by_nothing.norm, 0);
  EXPECT_EQ(g.by_nothing.query_mean, 0);
  EXPECT_EQ(g.by_nothing.largest_weight, 1);
}

TEST(SoftmaxGradient, TheScaleOfOneDimensionIsOne) {
  const SoftmaxGradient g = softmax_gradient(1, {.queries = 50});
  EXPECT_EQ(g.by_nothing.norm, g.by_root.norm);
  EXPECT_EQ(g.by_nothing.largest_weight, g.by_d_k.largest_weight);
  EXPECT_EQ(g.by_nothing.query_mean, g.by_d_k.query_mean);
}

// With two keys both rows of dw/dq have the size w (1 - w) |k_1 - k_2| / c. So for one query the norms at the
// query for two divisors are in the proportion of those at the scores, times that of the divisors.
TEST(SoftmaxGradient, TheQueryGetsTheScoresGradientOverTheDivisor) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const SoftmaxGradient g = softmax_gradient(16, {.keys = 2, .queries = 1, .seed = seed});
    const double root = g.by_root.query_mean / g.by_root.norm;
    EXPECT_NEAR(g.by_nothing.query_mean / g.by_nothing.norm, 4 * root, 1e-4 * root);
    EXPECT_NEAR(g.by_d_k.query_mean / g.by_d_k.norm, root / 4, 1e-4 * root);
    EXPECT_EQ(g.by_root.query_median, g.by_root.query_mean);
  }
}

// Footnote 4: the variance is d_k. Without the root the softmax's gradient vanishes; with it, it stays.
TEST(SoftmaxGradient, OfTheScoresVanishesWithoutTheRoot) {
  const SoftmaxGradientOptions options = {.keys = 16, .queries = 300};
  const SoftmaxGradient narrow = softmax_gradient(8, options), wide = softmax_gradient(512, options);
  EXPECT_NEAR(narrow.variance, 8, 2);
  EXPECT_NEAR(wide.variance, 512, 80);
  EXPECT_LT(wide.by_nothing.norm, 0.5 * narrow.by_nothing.norm);
  EXPECT_NEAR(wide.by_root.norm, narrow.by_root.norm, 0.1 * narrow.by_root.norm);
}

// Not so at the query, where the divisor counts once more. Without the root the mean is larger at the paper's
// d_k; at a larger one half of the queries get nearly nothing, and a tenth gets all the more. With the root all
// get the same at any d_k; divided by d_k, they get as much less as the root is wide.
TEST(SoftmaxGradient, AtTheQueryIsLargerAndUnevenWithoutTheRoot) {
  const SoftmaxGradientOptions options = {.keys = 16, .queries = 300};
  const SoftmaxGradient paper = softmax_gradient(64, options), wide = softmax_gradient(512, options);
  EXPECT_GT(paper.by_nothing.query_mean, 4 * paper.by_root.query_mean);
  EXPECT_GT(paper.by_nothing.query_median, 2 * paper.by_root.query_median);
  EXPECT_LT(wide.by_nothing.query_median, 0.1 * wide.by_root.query_median);
  EXPECT_GT(wide.by_nothing.query_ninth_decile, 10 * wide.by_root.query_ninth_decile);
  EXPECT_NEAR(wide.by_root.query_mean, paper.by_root.query_mean, 0.05 * paper.by_root.query_mean);
  EXPECT_LT(wide.by_root.query_ninth_decile, 1.3 * wide.by_root.query_median);
  EXPECT_NEAR(paper.by_d_k.query_mean, 0.03, 0.003);
  EXPECT_NEAR(wide.by_d_k.query_mean, paper.by_d_k.query_mean / std::sqrt(8.0), 0.002);
}

}  // namespace
}  // namespace plainformer
