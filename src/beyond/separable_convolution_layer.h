// Paper: 4 Why Self-Attention (separable convolutions)
//
//   z_t = the sum over s < k of x_{t - s} * w_s, for each of the d channels by itself     (depthwise)
//   y_t = z_t W + b                                                                       (pointwise)
//
//   "Separable convolutions, however, decrease the complexity considerably, to O(k n d + n d^2). Even with
//   k = n, however, the complexity of a separable convolution is equal to the combination of a self-attention
//   layer and a point-wise feed-forward layer, the approach we take in our model."
//
// The kernel ends at its own position, as in ConvolutionLayer.
#pragma once

#include "core/parameter.h"

namespace plainformer {

class SeparableConvolutionLayer {
 public:
  struct Cache {
    Tensor x, depthwise;  // [batch, len, d]
  };

  // All weights start at 0.    kernel 1 or more
  SeparableConvolutionLayer(Index d, Index kernel);

  // x [batch, len, d] -> [batch, len, d]
  Tensor forward(const Tensor& x, Cache& cache) const;

  // Returns grad_x; adds to the gradients of all parameters.    grad_output [batch, len, d]
  Tensor backward(const Tensor& grad_output, const Cache& cache);

  void append_parameters(const std::string& prefix, ParameterList& list);

  Parameter w_depthwise;  // [kernel, d]: w_0 for the position itself, then w_1, ... for earlier ones
  Parameter w_pointwise;  // [d, d]
  Parameter b;            // [d]
};

}  // namespace plainformer
