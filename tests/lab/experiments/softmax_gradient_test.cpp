#include "lab/experiments/softmax_gradient.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

// With weights w and 1 - w the Jacobian is w (1 - w) [1 -1; -1 1], of norm 2 w (1 - w).
TEST(SoftmaxGradient, IsTheNormOfTheJacobianOfTwoWeights) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const SoftmaxGradient g = softmax_gradient(4, {.keys = 2, .queries = 1, .seed = seed});
    EXPECT_NEAR(g.norm, 2 * g.largest_weight * (1 - g.largest_weight), 1e-5);
    EXPECT_NEAR(g.scaled_norm, 2 * g.scaled_largest_weight * (1 - g.scaled_largest_weight), 1e-5);
    EXPECT_GT(g.largest_weight, g.scaled_largest_weight);
  }
}

// One key has the weight 1, whatever its score: no gradient.
TEST(SoftmaxGradient, IsZeroForASingleKey) {
  const SoftmaxGradient g = softmax_gradient(8, {.keys = 1, .queries = 5});
  EXPECT_EQ(g.norm, 0);
  EXPECT_EQ(g.largest_weight, 1);
}

TEST(SoftmaxGradient, TheScaleOfOneDimensionIsOne) {
  const SoftmaxGradient g = softmax_gradient(1, {.queries = 50});
  EXPECT_EQ(g.norm, g.scaled_norm);
  EXPECT_EQ(g.largest_weight, g.scaled_largest_weight);
}

// Footnote 4: the variance is d_k. Without the root the gradient vanishes; with it, it stays.
TEST(SoftmaxGradient, VanishesWithoutTheRoot) {
  const SoftmaxGradientOptions options = {.keys = 16, .queries = 300};
  const SoftmaxGradient narrow = softmax_gradient(8, options), wide = softmax_gradient(512, options);
  EXPECT_NEAR(narrow.variance, 8, 2);
  EXPECT_NEAR(wide.variance, 512, 80);
  EXPECT_LT(wide.norm, 0.5 * narrow.norm);
  EXPECT_NEAR(wide.scaled_norm, narrow.scaled_norm, 0.1 * narrow.scaled_norm);
}

}  // namespace
}  // namespace plainformer
