// 5.3 Optimizer: Adam. (tests/golden compares it with torch.optim.Adam.)
#include "ops/adam.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/tensors.h"

namespace plainformer {
namespace {

// The second of two updates, with constants that are easy to follow by hand.
constexpr AdamOptions kOptions = {.beta_1 = 0.5, .beta_2 = 0.75, .epsilon = 1};
constexpr AdamUpdate kSecond = {.t = 2, .learning_rate = 0.1, .grad_scale = 0.5};

// g = 8 / 2 = 4: m = 0.5 * 2 + 0.5 * 4 = 3, v = 0.75 * 4 + 0.25 * 16 = 7. The corrections are 1 - 0.5^2 =
// 0.75 and 1 - 0.75^2 = 0.4375: m / 0.75 = 4, v / 0.4375 = 16, and the value falls by 0.1 * 4 / (4 + 1) =
// 0.08. Without gradient and moments, by nothing.
TEST(AdamUpdate, ByHand) {
  Parameter x(tensor({2, 1}, {1, 7}));
  x.grad = tensor({2, 1}, {8, 0});
  Tensor first_moment = tensor({2, 1}, {2, 0}), second_moment = tensor({2, 1}, {4, 0});
  adam_update(x, first_moment, second_moment, kOptions, kSecond);
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
    adam_update(x, first_moment, second_moment, kOptions, kSecond);
  };
  EXPECT_NO_THROW(update(shape, shape, shape));
  EXPECT_THROW(update(other, shape, shape), std::logic_error);
  EXPECT_THROW(update(Shape(), shape, shape), std::logic_error) << "no backward pass reached it";
  EXPECT_THROW(update(shape, other, shape), std::logic_error);
  EXPECT_THROW(update(shape, shape, other), std::logic_error);
}

// Step 1, g = 2:  m = 0.2, v = 0.08; m / 0.1 = 2, v / 0.02 = 4; 1 - 0.1 * 2 / 2 = 0.9.
// Step 2, g = -1: m = 0.08, v = 0.0984; m / 0.19 = 0.421053, v / 0.0396 = 2.484848;
//                 0.9 - 0.1 * 0.421053 / 1.576340 = 0.873289.
TEST(Adam, TwoStepsByHand) {
  Parameter x(tensor({1}, {1}));
  Adam adam({{"x", &x}}, AdamOptions());

  x.grad = tensor({1}, {2});
  adam.step({{"x", &x}}, 0.1, 1);
  EXPECT_TRUE(near(x.value, {1}, {0.9}, 1e-6));
  EXPECT_TRUE(near(adam.first_moments()[0], {1}, {0.2}, 1e-6));
  EXPECT_TRUE(near(adam.second_moments()[0], {1}, {0.08}, 1e-6));
  EXPECT_EQ(adam.steps(), 1);

  x.grad = tensor({1}, {-1});
  adam.step({{"x", &x}}, 0.1, 1);
  EXPECT_TRUE(near(x.value, {1}, {0.873289}, 1e-6));
  EXPECT_TRUE(near(adam.first_moments()[0], {1}, {0.08}, 1e-6));
  EXPECT_TRUE(near(adam.second_moments()[0], {1}, {0.0984}, 1e-6));
  EXPECT_EQ(adam.steps(), 2);
}

TEST(Adam, RestoredGoesOnAsIfNeverStopped) {
  Parameter x = random_parameter({5}, 1);
  Adam adam({{"x", &x}}, AdamOptions());
  x.grad = random_tensor({5}, 2);
  adam.step({{"x", &x}}, 0.1, 1);

  Parameter y(x.value);
  Adam restored({{"y", &y}}, AdamOptions());
  restored.restore(adam.steps(), adam.first_moments(), adam.second_moments());
  x.grad = y.grad = random_tensor({5}, 3);
  adam.step({{"x", &x}}, 0.1, 1);
  restored.step({{"y", &y}}, 0.1, 1);
  EXPECT_TRUE(same_bits(x.value, y.value));
}

TEST(Adam, RefusesAnotherList) {
  Parameter x = random_parameter({5}, 1), y = random_parameter({5}, 2);
  Adam adam({{"x", &x}}, AdamOptions());
  EXPECT_THROW(adam.step({{"x", &x}, {"y", &y}}, 0.1, 1), std::logic_error);
  EXPECT_THROW(adam.restore(1, {Tensor::zeros({5})}, {}), std::logic_error);
  EXPECT_THROW(adam.restore(1, {Tensor::zeros({5})}, {Tensor::zeros({1, 5})}), std::logic_error);
}

}  // namespace
}  // namespace plainformer
