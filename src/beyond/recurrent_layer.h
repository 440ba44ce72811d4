// Paper: 4 Why Self-Attention (the recurrent layer of Table 1)
//
//   h_t = tanh(x_t W_x + h_{t-1} W_h + b),  h_{-1} = 0
//
//   "a recurrent layer requires O(n) sequential operations": position t waits for position t - 1. Two products
//   of a vector and a matrix for each of n positions are O(n d^2) multiply-adds. (Elman 1990. An LSTM has four
//   such pairs of products, and waits as long.)
#pragma once

#include "core/parameter.h"

namespace plainformer {

class RecurrentLayer {
 public:
  struct Cache {
    Tensor x;       // [batch, len, d]
    Tensor hidden;  // [batch, len, d]: every h_t
  };

  // All weights start at 0.
  explicit RecurrentLayer(Index d);

  // x [batch, len, d] -> [batch, len, d]: h_t sees the positions up to t, so padding at the end changes nothing
  // before it.
  Tensor forward(const Tensor& x, Cache& cache) const;

  // Backward through time. Returns grad_x; adds to the gradients of all parameters.
  //   grad_output [batch, len, d]
  Tensor backward(const Tensor& grad_output, const Cache& cache);

  void append_parameters(const std::string& prefix, ParameterList& list);

  Parameter w_x, w_h;  // [d, d]
  Parameter b;         // [d]
};

}  // namespace plainformer
