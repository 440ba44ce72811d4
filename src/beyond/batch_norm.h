// Beyond the paper: batch normalization (Ioffe and Szegedy 2015, "Batch Normalization: Accelerating Deep Network Training
// by Reducing Internal Covariate Shift"), over the tokens of a batch.
//
//   y_ij = gain_j x_hat_ij + bias_j,    x_hat_ij = (x_ij - mean_j) / sqrt(variance_j + epsilon)
//
// Mean and variance are those of column j over the n tokens i of all sentences, where layer norm has those of row i over
// its d columns. So a token's output depends on all others of its batch, later ones of its sentence included. At
// inference, which must not depend on a batch, running averages of the training's means and variances take their place.
#pragma once

#include <vector>

#include "core/parameter.h"
#include "core/tensor.h"

namespace plainformer {

struct BatchNormCache {
  Tensor x;                    // [batch, len, d]
  std::vector<Index> lengths;  // [batch]
  Tensor mean, rstd;           // [d]; rstd = 1 / sqrt(variance + epsilon)
  Tensor variance;             // [d]
};

// y for the batch's own mean and (biased) variance. Padding is left out of both, and its output is 0.
//   x [batch, len, d], lengths [batch], at least one token; gain and bias [d] -> y [batch, len, d]
Tensor batch_norm_forward(const Tensor& x, const std::vector<Index>& lengths, const Parameter& gain,
                          const Parameter& bias, Real epsilon, BatchNormCache& cache);

// With g = grad_y * gain: grad_x = rstd (g - mean(g) - x_hat mean(g x_hat)) is returned, the means over the tokens;
// gain.grad += sum over tokens of grad_y x_hat, bias.grad += sum over tokens of grad_y. Padding's gradient is 0.
Tensor batch_norm_backward(const Tensor& grad_y, const BatchNormCache& cache, Parameter& gain,
                           Parameter& bias);

// The means and variances for inference. Those of each training batch move them a tenth of the way.
struct RunningMoments {
  explicit RunningMoments(Index d) : mean(Tensor::zeros({d})), variance(Tensor::filled({d}, 1)) {}

  // The variance that is averaged is the unbiased one: that of n tokens times n / (n - 1).
  void update(const BatchNormCache& batch);

  Tensor mean, variance;  // [d]
};

// y for the running moments: each token by itself.    x [batch, len, d] -> y [batch, len, d]
Tensor batch_norm_inference(const Tensor& x, const Parameter& gain, const Parameter& bias, Real epsilon,
                            const RunningMoments& moments);

}  // namespace plainformer
