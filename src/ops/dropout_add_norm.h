// LayerNorm(x + Dropout(z)) in one pass over memory: what follows every sub-layer.
#pragma once

#include "core/random.h"
#include "ops/layer_norm.h"

namespace plainformer {

struct DropoutAddNormCache {
  Real probability = 0;
  RandomKey key = {};
  LayerNormCache norm;  // of x + Dropout(z)
};

// y = LayerNorm(x + Dropout(z)): row by row what dropout_forward, add and layer_norm_forward do one after the
// other, to the bit.
//   x, z [..., d] -> y [..., d]
// The cache's probability and key are set by the caller. Move z in: it is reused.
Tensor dropout_add_norm_forward(const Tensor& x, Tensor z, const Parameter& gain, const Parameter& bias,
                                Real epsilon, DropoutAddNormCache& cache);

struct DropoutAddNormGradients {
  Tensor x, z;
};

// grad_x is layer norm's gradient; grad_z is the same where z's element was kept, times 1 / (1 -
// probability), else 0. Adds to gain.grad and bias.grad.
DropoutAddNormGradients dropout_add_norm_backward(const Tensor& grad_y, const DropoutAddNormCache& cache,
                                                  Parameter& gain, Parameter& bias);

}  // namespace plainformer
