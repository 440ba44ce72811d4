// 5.4 Regularization: the smoothed loss, over the target's tokens only.
#include "training/targets.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ops/cross_entropy.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

const double kLn2 = std::log(2.0);

// One sentence of one token beside one of three: two positions of padding. The softmax of each row that
// counts is [1/2, 1/4, 1/8, 1/8].
struct PaddedBatch {
  TokenBatch targets = TokenBatch::from({{0}, {0, 1, 3}});
  Tensor logits = tensor({2, 3, 4}, {0,           -kLn2,    -3 * kLn2 + kLn2,
                                     -2 * kLn2,  // counts
                                     9,           8,        7,
                                     6,  // padding
                                     -9,          8,        0,
                                     1e4,  // padding
                                     0,           -kLn2,    -2 * kLn2,
                                     -2 * kLn2,  //
                                     0,           -kLn2,    -2 * kLn2,
                                     -2 * kLn2,  //
                                     5,           5 - kLn2, 5 - 2 * kLn2,
                                     5 - 2 * kLn2});
};

TEST(Targets, AreTheTokensAndNoneForPadding) {
  const TokenBatch target_output = TokenBatch::from({{5}, {7, 8, 9}, {}});
  EXPECT_EQ(targets_of(target_output),
            (std::vector<int>{5, kNoTarget, kNoTarget, 7, 8, 9, kNoTarget, kNoTarget, kNoTarget}));
}

// q of class 0 is [0.925, 0.025, 0.025, 0.025], so its row costs 0.925 ln 2 + 0.025 (ln 4 + 2 ln 8) = 1.125
// ln 2; class 1 costs 0.925 * 2 + 0.025 (1 + 6) = 2.025, class 3 costs 0.925 * 3 + 0.025 (1 + 2 + 3) = 2.925.
TEST(Targets, CostsByHand) {
  const PaddedBatch batch;
  const CrossEntropy sums = cross_entropy_forward(batch.logits, targets_of(batch.targets), 0.1);
  EXPECT_EQ(sums.rows, 4);
  EXPECT_NEAR(sums.loss, (1.125 + 1.125 + 2.025 + 2.925) * kLn2, 1e-5);
  EXPECT_NEAR(sums.log_probability, -(1 + 1 + 2 + 3) * kLn2, 1e-5);
}

TEST(Targets, WithoutSmoothingTheLossIsTheLogProbability) {
  const PaddedBatch batch;
  const CrossEntropy sums = cross_entropy_forward(batch.logits, targets_of(batch.targets), 0);
  EXPECT_NEAR(sums.loss, 7 * kLn2, 1e-5);
  EXPECT_NEAR(sums.loss, -sums.log_probability, 1e-6);
}

TEST(Targets, GradientIsPMinusQOverTheTokensAndZeroOnPadding) {
  const PaddedBatch batch;
  const Tensor gradient = cross_entropy_backward(1 / Real(5), batch.logits, targets_of(batch.targets), 0.1);
  EXPECT_TRUE(near(gradient, {2, 3, 4}, {-0.085, 0.045,  0.02, 0.02,  //
                                         0,      0,      0,    0,     //
                                         0,      0,      0,    0,     //
                                         -0.085, 0.045,  0.02, 0.02,  //
                                         0.095,  -0.135, 0.02, 0.02,  //
                                         0.095,  0.045,  0.02, -0.16}));
}

}  // namespace
}  // namespace plainformer
