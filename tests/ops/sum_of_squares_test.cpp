#include "ops/sum_of_squares.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/tensors.h"

namespace plainformer {
namespace {

constexpr Index kManyBlocks = 3 * 16384 + 5;

TEST(SumOfSquares, ByHand) {
  EXPECT_EQ(sum_of_squares(tensor({2, 2}, {1, -2, 3, 0.5})), 1 + 4 + 9 + 0.25);
}

TEST(SumOfSquares, OfNothingIsZero) {
  EXPECT_EQ(sum_of_squares(Tensor()), 0);
  EXPECT_EQ(sum_of_squares(Tensor({3, 0})), 0);
}

TEST(SumOfSquares, CountsEveryElementOfEveryBlockOnce) {
  EXPECT_EQ(sum_of_squares(Tensor::filled({kManyBlocks}, 2)), 4.0 * kManyBlocks);
}

// 1 + 2^-30 is no float; and squares of large floats are no floats either.
TEST(SumOfSquares, IsTakenInDouble) {
  Tensor x = Tensor::zeros({kManyBlocks});
  x.mutable_data()[0] = 1;
  x.mutable_data()[kManyBlocks - 1] = Real(1) / 32768;
  EXPECT_EQ(sum_of_squares(x), 1 + 1.0 / (1 << 30));
  EXPECT_NEAR(sum_of_squares(Tensor::filled({2}, Real(1e30))), 2e60, 1e54);
}

TEST(SumOfSquares, IsNaNOrInfiniteExactlyIfSomeElementIs) {
  for (const Index at : {Index{0}, Index{20'000}, kManyBlocks - 1}) {
    Tensor x = Tensor::filled({kManyBlocks}, Real(1e30));
    EXPECT_TRUE(std::isfinite(sum_of_squares(x)));
    x.mutable_data()[at] = -std::numeric_limits<Real>::infinity();
    EXPECT_EQ(sum_of_squares(x), std::numeric_limits<double>::infinity()) << at;
    x.mutable_data()[at] = std::numeric_limits<Real>::quiet_NaN();
    EXPECT_TRUE(std::isnan(sum_of_squares(x))) << at;
  }
}

}  // namespace
}  // namespace plainformer
