#include "ops/layer_norm.h"

#include <gtest/gtest.h>

#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

constexpr Real kTiny = static_cast<Real>(1e-12);  // an epsilon that does not show

TEST(LayerNorm, StandardizesEachRow) {
  // Row 0: mean 3, variance 4 (divided by d, not d - 1). Row 1: mean 10, variance 9.
  const Tensor x = tensor({2, 2}, {1, 5, 13, 7});
  const Parameter gain(tensor({2}, {1, 1})), bias(tensor({2}, {0, 0}));
  LayerNormCache cache;
  EXPECT_TRUE(near(layer_norm_forward(x, gain, bias, kTiny, cache), {2, 2}, {-1, 1, 1, -1}));
  EXPECT_TRUE(near(cache.mean, {2}, {3, 10}));
  EXPECT_TRUE(near(cache.rstd, {2}, {0.5, 1.0 / 3}));
}

TEST(LayerNorm, AppliesGainAndBiasByColumn) {
  const Tensor x = tensor({1, 4}, {0, 2, 0, 2});
  const Parameter gain(tensor({4}, {1, 2, 3, 5})), bias(tensor({4}, {10, 20, 30, 50}));
  LayerNormCache cache;
  EXPECT_TRUE(near(layer_norm_forward(x, gain, bias, kTiny, cache), {1, 4}, {9, 22, 27, 55}));
}

TEST(LayerNorm, EpsilonIsAddedToTheVarianceInsideTheRoot) {
  const Tensor x = tensor({1, 2}, {-1, 1});  // variance 1
  const Parameter gain(Tensor::filled({2}, 1)), bias(Tensor::zeros({2}));
  LayerNormCache cache;
  EXPECT_TRUE(near(layer_norm_forward(x, gain, bias, 3, cache), {1, 2}, {-0.5, 0.5}));  // 1 / sqrt(1 + 3)
}

TEST(LayerNorm, AConstantRowBecomesTheBias) {
  const Tensor x = Tensor::filled({2, 3}, 7);
  const Parameter gain(Tensor::filled({3}, 2)), bias(tensor({3}, {1, 2, 3}));
  LayerNormCache cache;
  EXPECT_TRUE(
      near(layer_norm_forward(x, gain, bias, static_cast<Real>(1e-6), cache), {2, 3}, {1, 2, 3, 1, 2, 3}, 0));
}

// The mean of the squares minus the square of the mean would lose the variance: both are so large that a Real
// has no digits left for their difference.
TEST(LayerNorm, ALargeMeanCostsNoDigits) {
  const Real large = sizeof(Real) == 8 ? static_cast<Real>(1e10) : static_cast<Real>(1 << 14);
  const Tensor x = tensor({1, 4}, {large - 1, large + 1, large - 1, large + 1});
  const Parameter gain(Tensor::filled({4}, 1)), bias(Tensor::zeros({4}));
  LayerNormCache cache;
  EXPECT_TRUE(near(layer_norm_forward(x, gain, bias, kTiny, cache), {1, 4}, {-1, 1, -1, 1}));
}

TEST(LayerNorm, RefusesShapesThatDoNotFit) {
  const Tensor x = random_tensor({5, 3}, 1);
  Parameter three(Tensor::filled({3}, 1)), two(Tensor::filled({2}, 1));
  LayerNormCache cache;
  EXPECT_THROW(layer_norm_forward(x, two, three, kTiny, cache), std::logic_error);
  EXPECT_THROW(layer_norm_forward(x, three, two, kTiny, cache), std::logic_error);
  layer_norm_forward(x, three, three, kTiny, cache);
  EXPECT_THROW(layer_norm_backward(x, cache, two, three), std::logic_error);
  EXPECT_THROW(layer_norm_backward(x, cache, three, two), std::logic_error);
  EXPECT_THROW(layer_norm_backward(random_tensor({3, 5}, 1), cache, three, three), std::logic_error);
  EXPECT_TRUE(three.grad.empty()) << "a refused call adds nothing";
}

GRADIENT_TEST(LayerNorm, Gradient) {
  constexpr Real kLargeEpsilon = static_cast<Real>(0.01);  // large enough to be seen
  Tensor x = random_tensor({2, 3, 5}, 1);
  Parameter gain = random_parameter({5}, 2), bias = random_parameter({5}, 3);
  const Tensor grad_y = random_tensor({2, 3, 5}, 4);
  LayerNormCache cache;
  layer_norm_forward(x, gain, bias, kLargeEpsilon, cache);
  const Tensor grad_x = layer_norm_backward(grad_y, cache, gain, bias);
  const auto loss = [&] {
    LayerNormCache unused;
    return dot(grad_y, layer_norm_forward(x, gain, bias, kLargeEpsilon, unused));
  };
  EXPECT_TRUE(gradients_agree(
      loss, {{"x", &x, grad_x}, {"gain", &gain.value, gain.grad}, {"bias", &bias.value, bias.grad}}));
}

}  // namespace
}  // namespace plainformer
