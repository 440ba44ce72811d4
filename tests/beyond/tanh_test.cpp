#include "beyond/tanh.h"

#include <gtest/gtest.h>

#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

// artanh(1/2) = ln(3) / 2. The derivative is 1 - tanh^2.
TEST(Tanh, ByHand) {
  const Tensor y = tanh_forward(tensor({1, 3}, {0, 0.5493061443, -0.5493061443}));
  EXPECT_TRUE(near(y, {1, 3}, {0, 0.5, -0.5}, 1e-6));
  EXPECT_TRUE(near(tanh_backward(tensor({1, 3}, {2, 4, 8}), y), {1, 3}, {2, 3, 6}, 1e-5));
}

GRADIENT_TEST(Tanh, Gradient) {
  Tensor x = random_tensor({2, 3}, 1);
  const Tensor grad_y = random_tensor({2, 3}, 2);
  const Tensor grad_x = tanh_backward(grad_y, tanh_forward(x));
  EXPECT_TRUE(gradients_agree([&] { return dot(grad_y, tanh_forward(x)); }, {{"x", &x, grad_x}}));
}

}  // namespace
}  // namespace plainformer
