// Paper: 4 Why Self-Attention (the convolutional layer of Table 1)
//
//   y_t = b + the sum over s < k of x_{t - s dilation} W_s,  x_t = 0 for t < 0
//
//   "A single convolutional layer with kernel width k < n does not connect all pairs of input and output
//   positions. Doing so requires a stack of O(n/k) convolutional layers in the case of contiguous kernels, or
//   O(log_k(n)) in the case of dilated convolutions". In a dilated stack, layer l has dilation k^l.
//
// The kernel ends at its own position, as in a decoder: it sees no later one. So the layer compares with the
// recurrent one, which goes the same way, and padding at the end changes nothing before it.
#pragma once

#include "core/parameter.h"

namespace plainformer {

class ConvolutionLayer {
 public:
  struct Cache {
    Tensor windows;  // [batch, len, kernel * d]: beside each other, what each position sees
  };

  // All weights start at 0.    kernel and dilation 1 or more
  ConvolutionLayer(Index d, Index kernel, Index dilation);

  // x [batch, len, d] -> [batch, len, d]
  Tensor forward(const Tensor& x, Cache& cache) const;

  // Returns grad_x; adds to w.grad and b.grad.    grad_output [batch, len, d]
  Tensor backward(const Tensor& grad_output, const Cache& cache);

  void append_parameters(const std::string& prefix, ParameterList& list);

  Parameter w;  // [kernel * d, d]: W_0 for the position itself, then W_1, ... for earlier ones
  Parameter b;  // [d]

 private:
  Index kernel_, dilation_;
};

}  // namespace plainformer
