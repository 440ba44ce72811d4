// Paper: 3.3 Position-wise Feed-Forward Networks, equation (2)
//
//   FFN(x) = max(0, x W_1 + b_1) W_2 + b_2
#pragma once

#include "core/parameter.h"

namespace plainformer {

class FeedForward {
 public:
  struct Cache {
    Tensor x;       // [batch, len, d_model]
    Tensor hidden;  // [batch, len, d_ff]: max(0, x W_1 + b_1)
  };

  // All weights start at 0; the model initializes them.
  FeedForward(Index d_model, Index d_ff);

  // x [batch, len, d_model] -> [batch, len, d_model]: each position by itself.
  Tensor forward(const Tensor& x, Cache& cache) const;
  Tensor forward(const Tensor& x) const;  // at inference: nothing is kept

  // Returns grad_x; adds to the gradients of w_1, b_1, w_2 and b_2.    grad_output [batch, len, d_model]
  Tensor backward(const Tensor& grad_output, const Cache& cache);

  void append_parameters(const std::string& prefix, ParameterList& list);

  Parameter w_1;  // [d_model, d_ff]
  Parameter b_1;  // [d_ff]
  Parameter w_2;  // [d_ff, d_model]
  Parameter b_2;  // [d_model]
};

}  // namespace plainformer
