#include "ops/softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

constexpr Real kNaN = std::numeric_limits<Real>::quiet_NaN();
const double kLogarithm2 = std::log(2.0), kLogarithm3 = std::log(3.0), kLogarithm5 = std::log(5.0);

TEST(Softmax, TurnsLogarithmsIntoShares) {
  const Tensor x = tensor({2, 3}, {0, kLogarithm2, kLogarithm5, kLogarithm3, kLogarithm2, kLogarithm5});
  const std::vector<Index> visible_counts = {3, 3};
  EXPECT_TRUE(near(softmax_forward(x, visible_counts), {2, 3}, {0.125, 0.25, 0.625, 0.3, 0.2, 0.5}, 1e-6));
}

TEST(Softmax, NeverReadsWhatIsMasked) {
  const Tensor x = tensor({3, 3}, {0, kLogarithm3, kNaN, 5, kNaN, kNaN, kNaN, kNaN, kNaN});
  const std::vector<Index> visible_counts = {2, 1, 0};
  const Tensor y = softmax_forward(x, visible_counts);
  EXPECT_TRUE(near(y, {3, 3}, {0.25, 0.75, 0, 1, 0, 0, 0, 0, 0}, 1e-6));
  const Tensor grad_y = tensor({3, 3}, {1, 2, kNaN, 3, kNaN, kNaN, kNaN, kNaN, kNaN});
  // Row 0: the mean of (1, 2) under the weights is 1.75, so 0.25 (1 - 1.75) and 0.75 (2 - 1.75).
  EXPECT_TRUE(near(softmax_backward(grad_y, y, visible_counts), {3, 3},
                   {-0.1875, 0.1875, 0, 0, 0, 0, 0, 0, 0}, 1e-6));
}

// Only a shift by the largest score keeps all powers from overflowing.
TEST(Softmax, DoesNotOverflow) {
  const double first = 1 / (1 + std::exp(-1.0)), infinity = std::numeric_limits<double>::infinity();
  const Tensor x = tensor({4, 3}, {10'000, 10'000 - 1, 0, -10'000, -10'000 + 1, 0,  //
                                   10'000, -10'000, 10'000, 0, -infinity, 0});
  const Tensor before = x;
  const std::vector<Index> visible_counts = {2, 2, 3, 3};
  EXPECT_TRUE(near(softmax_forward(x, visible_counts), {4, 3},
                   {first, 1 - first, 0, 1 - first, first, 0, 0.5, 0, 0.5, 0.5, 0, 0.5}, 1e-6));
  EXPECT_TRUE(same_bits(x, before)) << "a shared input is left alone";
}

TEST(Softmax, RefusesCountsThatDoNotFit) {
  const Tensor x({2, 3});
  EXPECT_THROW(softmax_forward(x, std::vector<Index>{3}), std::logic_error);
  EXPECT_THROW(softmax_forward(x, std::vector<Index>{3, 4}), std::logic_error);
  EXPECT_THROW(softmax_forward(x, std::vector<Index>{-1, 3}), std::logic_error);
  EXPECT_THROW(softmax_backward(x, Tensor({3, 2}), std::vector<Index>{3, 3}), std::logic_error);
}

GRADIENT_TEST(Softmax, Gradient) {
  Tensor x = random_tensor({2, 3, 5}, 1);
  const std::vector<Index> visible_counts = {5, 4, 3, 2, 1, 0};
  const Tensor grad_y = random_tensor({2, 3, 5}, 2);
  const Tensor grad_x = softmax_backward(grad_y, softmax_forward(x, visible_counts), visible_counts);
  EXPECT_TRUE(
      gradients_agree([&] { return dot(grad_y, softmax_forward(x, visible_counts)); }, {{"x", &x, grad_x}}));
}

}  // namespace
}  // namespace plainformer
