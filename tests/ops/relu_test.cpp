#include "ops/relu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

TEST(Relu, CutsOffTheNegative) {
  EXPECT_TRUE(near(relu_forward(tensor({2, 3}, {-2, -0.5, 0, 0.5, 2, 7})), {2, 3}, {0, 0, 0, 0.5, 2, 7}, 0));
}

TEST(Relu, ANaNStaysANaN) {
  const Tensor y = relu_forward(tensor({2}, {std::numeric_limits<double>::quiet_NaN(), -1}));
  EXPECT_TRUE(std::isnan(y.at({0})));
  EXPECT_EQ(y.at({1}), 0);
}

TEST(Relu, TheGradientPassesWhereTheOutputIsPositive) {
  const Tensor y = relu_forward(tensor({5}, {-2, -0.5, 0, 0.5, 2}));
  EXPECT_TRUE(near(relu_backward(tensor({5}, {1, 2, 3, 4, 5}), y), {5}, {0, 0, 0, 4, 5}, 0));
}

TEST(Relu, RefusesAGradientOfAnotherShape) {
  EXPECT_THROW(relu_backward(Tensor({2, 3}), Tensor({3, 2})), std::logic_error);
}

GRADIENT_TEST(Relu, Gradient) {
  Tensor x = random_tensor({2, 3, 5, 7}, 1);  // none within 1e-6 of the kink
  const Tensor grad_y = random_tensor({2, 3, 5, 7}, 2);
  const Tensor grad_x = relu_backward(grad_y, relu_forward(x));
  EXPECT_TRUE(gradients_agree([&] { return dot(grad_y, relu_forward(x)); }, {{"x", &x, grad_x}}));
}

}  // namespace
}  // namespace plainformer
