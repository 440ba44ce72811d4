#include "ops/adam_update.h"

#include <gtest/gtest.h>

#include "tensors.h"

namespace plainformer {
namespace {

// The second of two steps, with constants that are easy to follow by hand.
constexpr AdamStep kStep = {.learning_rate = Real(0.1),
                            .beta_1 = Real(0.5),
                            .beta_2 = Real(0.75),
                            .epsilon = 1,
                            .rest_1 = Real(0.5),
                            .rest_2 = Real(0.25),
                            .bias_correction_1 = Real(0.75),
                            .bias_correction_2 = Real(0.4375),
                            .grad_scale = Real(0.5)};

// g = 8 / 2 = 4: m = 0.5 * 2 + 0.5 * 4 = 3, v = 0.75 * 4 + 0.25 * 16 = 7; m / 0.75 = 4, v / 0.4375 = 16: the
// value falls by 0.1 * 4 / (4 + 1) = 0.08. Without gradient and moments, by nothing.
TEST(AdamUpdate, ByHand) {
  Parameter x(tensor({2, 1}, {1, 7}));
  x.grad = tensor({2, 1}, {8, 0});
  Tensor first_moment = tensor({2, 1}, {2, 0}), second_moment = tensor({2, 1}, {4, 0});
  adam_update(x, first_moment, second_moment, kStep);
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
    adam_update(x, first_moment, second_moment, kStep);
  };
  EXPECT_NO_THROW(update(shape, shape, shape));
  EXPECT_THROW(update(other, shape, shape), std::logic_error);
  EXPECT_THROW(update(shape, other, shape), std::logic_error);
  EXPECT_THROW(update(shape, shape, other), std::logic_error);
}

}  // namespace
}  // namespace plainformer
