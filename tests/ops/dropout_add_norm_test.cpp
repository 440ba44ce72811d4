#include "ops/dropout_add_norm.h"

#include <gtest/gtest.h>

#include "gradient_check.h"
#include "ops/dropout.h"
#include "ops/elementwise.h"
#include "tensors.h"

namespace plainformer {
namespace {

constexpr Real kEpsilon = Real(1e-6);

DropoutAddNormCache cache_with(double probability) {
  return {.probability = static_cast<Real>(probability), .key = random_stream(3, 5, 7), .norm = {}};
}

TEST(DropoutAddNorm, IsToTheBitDropoutThenAddThenLayerNorm) {
  for (double probability : {0.0, 0.4}) {
    const Tensor x = random_tensor({3, 5, 37}, 1), z = random_tensor({3, 5, 37}, 2),
                 grad_y = random_tensor({3, 5, 37}, 3);
    Parameter gain = random_parameter({37}, 4), bias = random_parameter({37}, 5);
    Parameter gain_too = gain, bias_too = bias;
    DropoutAddNormCache cache = cache_with(probability);
    const Tensor y = dropout_add_norm_forward(x, z, gain, bias, kEpsilon, cache);
    const DropoutAddNormGradients grad = dropout_add_norm_backward(grad_y, cache, gain, bias);

    LayerNormCache norm;
    const Tensor sum = add(dropout_forward(z, cache.probability, cache.key), x);
    EXPECT_TRUE(same_bits(y, layer_norm_forward(sum, gain_too, bias_too, kEpsilon, norm)));
    const Tensor grad_sum = layer_norm_backward(grad_y, norm, gain_too, bias_too);
    EXPECT_TRUE(same_bits(grad.x, grad_sum));
    EXPECT_TRUE(same_bits(grad.z, dropout_backward(grad_sum, cache.probability, cache.key)));
    EXPECT_TRUE(same_bits(gain.grad, gain_too.grad));
    EXPECT_TRUE(same_bits(bias.grad, bias_too.grad));
  }
}

TEST(DropoutAddNorm, LeavesItsInputsAlone) {
  const Tensor x = random_tensor({2, 3}, 1), z = random_tensor({2, 3}, 2);
  const Tensor x_before = tensor({2, 3}, values(x)), z_before = tensor({2, 3}, values(z));
  const Parameter gain(Tensor::filled({3}, 1)), bias(Tensor::zeros({3}));
  DropoutAddNormCache cache = cache_with(0.5);
  dropout_add_norm_forward(x, z, gain, bias, kEpsilon, cache);
  EXPECT_TRUE(same_bits(x, x_before));
  EXPECT_TRUE(same_bits(z, z_before));
}

TEST(DropoutAddNorm, BackwardRefusesWhatDoesNotFit) {
  for (double probability : {0.0, 0.4}) {
    const Tensor x = random_tensor({5, 3}, 1);
    Parameter three(Tensor::filled({3}, 1)), two(Tensor::filled({2}, 1));
    DropoutAddNormCache cache = cache_with(probability);
    dropout_add_norm_forward(x, x, three, three, kEpsilon, cache);
    EXPECT_THROW(dropout_add_norm_backward(x, cache, two, three), std::logic_error);
    EXPECT_THROW(dropout_add_norm_backward(x, cache, three, two), std::logic_error);
    EXPECT_THROW(dropout_add_norm_backward(random_tensor({3, 5}, 1), cache, three, three), std::logic_error);
  }
}

GRADIENT_TEST(DropoutAddNorm, Gradient) {
  for (double probability : {0.0, 0.4}) {
    Tensor x = random_tensor({2, 3, 7}, 1), z = random_tensor({2, 3, 7}, 2);
    const Tensor grad_y = random_tensor({2, 3, 7}, 3);
    Parameter gain = random_parameter({7}, 4), bias = random_parameter({7}, 5);
    DropoutAddNormCache cache = cache_with(probability);
    dropout_add_norm_forward(x, z, gain, bias, kEpsilon, cache);
    const DropoutAddNormGradients grad = dropout_add_norm_backward(grad_y, cache, gain, bias);
    const auto loss = [&] {
      DropoutAddNormCache again = cache_with(probability);
      return dot(grad_y, dropout_add_norm_forward(x, z, gain, bias, kEpsilon, again));
    };
    EXPECT_TRUE(gradients_agree(loss, {{"x", &x, grad.x},
                                       {"z", &z, grad.z},
                                       {"gain", &gain.value, gain.grad},
                                       {"bias", &bias.value, bias.grad}}));
  }
}

}  // namespace
}  // namespace plainformer
