#include "beyond/batch_norm.h"

#include <gtest/gtest.h>

#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

constexpr Real kEpsilon = static_cast<Real>(1e-6);

// Two sentences of 2 and 1 tokens, and padding. Column 0 has 1, 5, 3: mean 3, variance 8/3. Column 1 is constant.
const std::vector<Index> kLengths = {2, 1};
Tensor by_hand() {
  return tensor({2, 2, 2}, {1, 7, 5, 7, 3, 7, 100, 100});
}

TEST(BatchNorm, StandardizesEachColumnOverTheTokensAndLeavesPaddingOut) {
  Parameter gain(tensor({2}, {2, 3})), bias(tensor({2}, {1, -1}));
  BatchNormCache cache;
  const Tensor y = batch_norm_forward(by_hand(), kLengths, gain, bias, kEpsilon, cache);
  const double r = std::sqrt(3.0 / 8);
  EXPECT_TRUE(near(y, {2, 2, 2}, {1 - 4 * r, -1, 1 + 4 * r, -1, 1, -1, 0, 0}));
  EXPECT_TRUE(near(cache.mean, {2}, {3, 7}));
  EXPECT_TRUE(near(cache.variance, {2}, {8.0 / 3, 0}));
}

// Algorithm 2: E[x] is the mean of the batches' means, Var[x] that of their variances times n / (n - 1).
TEST(BatchNorm, TheRunningMomentsMoveATenthOfTheWay) {
  Parameter gain(Tensor::filled({2}, 1)), bias(Tensor::zeros({2}));
  BatchNormCache cache;
  batch_norm_forward(by_hand(), kLengths, gain, bias, kEpsilon, cache);
  RunningMoments moments(2);
  moments.update(cache);
  EXPECT_TRUE(near(moments.mean, {2}, {0.3, 0.7}));
  EXPECT_TRUE(near(moments.variance, {2}, {0.9 + 0.4, 0.9}));
  for (int batch = 0; batch < 400; ++batch) moments.update(cache);
  EXPECT_TRUE(near(moments.mean, {2}, {3, 7}));
  EXPECT_TRUE(near(moments.variance, {2}, {4, 0}));
}

TEST(BatchNorm, AtInferenceATokenDependsOnNoOther) {
  const Parameter gain(tensor({2}, {2, 3})), bias(tensor({2}, {1, -1}));
  RunningMoments moments(2);
  moments.mean = tensor({2}, {3, 7});
  moments.variance = tensor({2}, {4, 1});
  const Tensor y = batch_norm_inference(by_hand(), gain, bias, kEpsilon, moments);
  EXPECT_TRUE(near(y, {2, 2, 2}, {-1, -1, 3, -1, 1, -1, 98, 278}, 1e-3));
  EXPECT_TRUE(near(batch_norm_inference(tensor({1, 1, 2}, {5, 7}), gain, bias, kEpsilon, moments), {1, 1, 2},
                   {3, -1}));
}

// A batch of one token is its own mean: nothing of it is left.
TEST(BatchNorm, OfOneTokenIsTheBias) {
  const Parameter gain(tensor({2}, {2, 3})), bias(tensor({2}, {1, -1}));
  BatchNormCache cache;
  EXPECT_TRUE(near(batch_norm_forward(tensor({1, 1, 2}, {5, 9}), {1}, gain, bias, kEpsilon, cache), {1, 1, 2},
                   {1, -1}));
}

TEST(BatchNorm, RefusesShapesThatDoNotFit) {
  const Parameter gain(Tensor::filled({2}, 1)), bias(Tensor::zeros({2}));
  BatchNormCache cache;
  EXPECT_THROW(batch_norm_forward(by_hand(), {2}, gain, bias, kEpsilon, cache), std::logic_error);
  EXPECT_THROW(batch_norm_forward(by_hand(), {0, 0}, gain, bias, kEpsilon, cache), std::logic_error);
  EXPECT_THROW(batch_norm_forward(Tensor({2, 2, 3}), kLengths, gain, bias, kEpsilon, cache),
               std::logic_error);
}

GRADIENT_TEST(BatchNorm, Gradient) {
  const std::vector<Index> lengths = {3, 2};
  Parameter gain = random_parameter({5}, 3), bias = random_parameter({5}, 4);
  Tensor x = random_tensor({2, 3, 5}, 1);
  const Tensor grad_y = random_tensor({2, 3, 5}, 2);
  BatchNormCache cache;
  batch_norm_forward(x, lengths, gain, bias, kEpsilon, cache);
  const Tensor grad_x = batch_norm_backward(grad_y, cache, gain, bias);
  const auto loss = [&] {
    BatchNormCache unused;
    return dot(grad_y, batch_norm_forward(x, lengths, gain, bias, kEpsilon, unused));
  };
  EXPECT_TRUE(gradients_agree(
      loss, {{"x", &x, grad_x}, {"gain", &gain.value, gain.grad}, {"bias", &bias.value, bias.grad}}));
}

}  // namespace
}  // namespace plainformer
