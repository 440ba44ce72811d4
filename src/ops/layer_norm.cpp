#include "ops/layer_norm.h"

#include <cmath>

#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/fast/fast.h"
#include "ops/rows.h"
#include "ops/ways.h"

namespace plainformer {

Tensor layer_norm_forward(const Tensor& x, const Parameter& gain, const Parameter& bias, Real epsilon,
                          LayerNormCache& cache) {
  const Index rows = row_count(x), d = x.dim(-1);
  CHECK_SHAPE(gain.value, d);
  CHECK_SHAPE(bias.value, d);
  if (ways.layer_norm == Way::kFast) return fast::layer_norm_forward(x, gain, bias, epsilon, cache);

  WritableTensor y(x.shape()), means({rows}), rstds({rows});
  for (Index row = 0; row < rows; ++row) {
    // Step 1. Compute the mean of the row, and the variance around it.
    Real mean = 0, variance = 0;
    for (Index j = 0; j < d; ++j) mean += x(row, j) / static_cast<Real>(d);
    for (Index j = 0; j < d; ++j) variance += (x(row, j) - mean) * (x(row, j) - mean) / static_cast<Real>(d);

    const Real rstd = 1 / std::sqrt(variance + epsilon);
    for (Index j = 0; j < d; ++j) {
      // Step 2. Normalize: x_hat = (x - mean) rstd, with mean 0 and variance 1.
      const Real x_hat = (x(row, j) - mean) * rstd;

      // Step 3. Scale and shift: y = gain x_hat + bias.
      y(row, j) = gain.value(j) * x_hat + bias.value(j);
    }
    means(row) = mean;
    rstds(row) = rstd;
  }
  cache = {.x = x, .mean = means, .rstd = rstds};
  return y;
}

Tensor layer_norm_backward(const Tensor& grad_y, const LayerNormCache& cache, Parameter& gain,
                           Parameter& bias) {
  const Index rows = row_count(cache.x), d = cache.x.dim(-1);
  CHECK(grad_y.shape() == cache.x.shape(), grad_y.shape().to_string(), " for ", cache.x.shape().to_string());
  CHECK_SHAPE(gain.value, d);
  CHECK_SHAPE(bias.value, d);
  if (ways.layer_norm == Way::kFast) return fast::layer_norm_backward(grad_y, cache, gain, bias);

  const Tensor& x = cache.x;
  WritableTensor grad_x(x.shape());
  const TensorWriter grad_gain(gain.mutable_grad()), grad_bias(bias.mutable_grad());
  for (Index row = 0; row < rows; ++row) {
    const Real mean = cache.mean(row), rstd = cache.rstd(row);

    // Step 3 was: y = gain x_hat + bias. Every row used gain and bias, so their gradients sum over rows.
    Real mean_of_grad_x_hat = 0, mean_of_product = 0;  // the product: grad_x_hat x_hat
    for (Index j = 0; j < d; ++j) {
      const Real x_hat = (x(row, j) - mean) * rstd, grad_x_hat = grad_y(row, j) * gain.value(j);
      grad_gain(j) += grad_y(row, j) * x_hat;
      grad_bias(j) += grad_y(row, j);
      mean_of_grad_x_hat += grad_x_hat / static_cast<Real>(d);
      mean_of_product += grad_x_hat * x_hat / static_cast<Real>(d);
    }

    // Steps 2 and 1 were: x_hat = (x - mean) rstd, with the row's mean and variance. Every x_j changes both,
    // and through them every x_hat_k: the mean by 1/d, and rstd by -rstd^2 x_hat_j / d. So
    //   d x_hat_k / d x_j = rstd ([k = j] - 1/d - x_hat_k x_hat_j / d)
    // Times grad_x_hat_k and summed over k, this is
    //   grad_x_j = rstd (grad_x_hat_j - mean(grad_x_hat) - x_hat_j mean(grad_x_hat x_hat))
    for (Index j = 0; j < d; ++j) {
      const Real x_hat = (x(row, j) - mean) * rstd, grad_x_hat = grad_y(row, j) * gain.value(j);
      grad_x(row, j) = rstd * (grad_x_hat - mean_of_grad_x_hat - x_hat * mean_of_product);
    }
  }
  return grad_x;
}

}  // namespace plainformer
