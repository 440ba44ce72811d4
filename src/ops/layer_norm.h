// Layer normalization (Ba et al. 2016).
#pragma once

#include "core/parameter.h"
#include "core/tensor.h"

namespace plainformer {

struct LayerNormCache {
  Tensor x;           // [..., d]
  Tensor mean, rstd;  // [rows]; rstd = 1 / sqrt(variance + epsilon)
};

// y = gain * x_hat + bias with x_hat = (x - mean) / sqrt(variance + epsilon), row by row;
// the variance is the biased one (divided by d).      x [..., d], gain and bias [d] -> y [..., d]
Tensor layer_norm_forward(const Tensor& x, const Parameter& gain, const Parameter& bias, Real epsilon,
                          LayerNormCache& cache);

// With g = grad_y * gain: grad_x = rstd (g - mean(g) - x_hat mean(g x_hat)) is returned;
// gain.grad += sum over rows of grad_y x_hat, bias.grad += sum over rows of grad_y.
Tensor layer_norm_backward(const Tensor& grad_y, const LayerNormCache& cache, Parameter& gain,
                           Parameter& bias);

}  // namespace plainformer
