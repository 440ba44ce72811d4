#include "ops/adam.h"

#include <gtest/gtest.h>

#include "support/tensors.h"

namespace plainformer {
namespace {

// The second of two updates, with constants that are easy to follow by hand.
constexpr AdamStep kSecond = {.learning_rate = Real(0.1),
                              .beta_1 = Real(0.5),
                              .beta_2 = Real(0.75),
                              .epsilon = 1,
                              .one_minus_beta_1 = Real(0.5),
                              .one_minus_beta_2 = Real(0.25),
                              .bias_correction_1 = Real(0.75),
                              .bias_correction_2 = Real(0.4375),
                              .grad_scale = Real(0.5)};

// g = 8 / 2 = 4: m = 0.5 * 2 + 0.5 * 4 = 3, v = 0.75 * 4 + 0.25 * 16 = 7. The corrections are 1 - 0.5^2 = 0.75
// and 1 - 0.75^2 = 0.4375: m / 0.75 = 4, v / 0.4375 = 16, and the value falls by 0.1 * 4 / (4 + 1) = 0.08.
// Without gradient and moments, by nothing.
TEST(AdamUpdate, ByHand) {
  Parameter x(tensor({2, 1}, {1, 7}));
  x.grad = tensor({2, 1}, {8, 0});
  Tensor first_moment = tensor({2, 1}, {2, 0}), second_moment = tensor({2, 1}, {4, 0});
  adam_update(x, first_moment, second_moment, kSecond);
  EXPECT_TRUE(near(x.value, {2, 1}, {0.92, 7}, 1e-6));
  EXPECT_TRUE(near(first_moment, {2, 1}, {3, 0}, 1e-6));
  EXPECT_TRUE(near(second_moment, {2, 1}, {7, 0}, 1e-6));
  EXPECT_TRUE(near(x.grad, {2, 1}, {8, 0}, 0));
}

TEST(AdamUpdate, RefusesShapesThatDiffer) {
  const Shape shape = {2, 3}, other = {3, 2};
  const auto update = [](const Shape& grad, const Shape& first, const Shape& second) {
    Parameter x(Tensor::zeros({2, 3}));
    x.grad = Tensor::zeros(grad);
    Tensor first_moment = Tensor::zeros(first), second_moment = Tensor::zeros(second);
    adam_update(x, first_moment, second_moment, kSecond);
  };
  EXPECT_NO_THROW(update(shape, shape, shape));
  EXPECT_THROW(update(other, shape, shape), std::logic_error);
  EXPECT_THROW(update(shape, other, shape), std::logic_error);
  EXPECT_THROW(update(shape, shape, other), std::logic_error);
}

TEST(AdamUpdate, RefusesAParameterThatNoBackwardPassReached) {
  Parameter x(Tensor::zeros({2, 3}));
  Tensor first_moment = Tensor::zeros({2, 3}), second_moment = Tensor::zeros({2, 3});
  EXPECT_THROW(adam_update(x, first_moment, second_moment, kSecond), std::logic_error);
}

}  // namespace
}  // namespace plainformer
