// Paper: 1 Introduction ("recurrent neural networks, long short-term memory and gated recurrent neural networks")
//
// The gated recurrent unit (Cho et al. 2014), in the form of Bahdanau et al. 2015:
//
//   z_t = sigmoid(x_t W_z + h_{t-1} U_z + b_z)          how much of the state is replaced
//   r_t = sigmoid(x_t W_r + h_{t-1} U_r + b_r)          how much of the old state the new one may see
//   n_t = tanh(x_t W_n + (r_t h_{t-1}) U_n + b_n)       the new state, as proposed
//   h_t = (1 - z_t) h_{t-1} + z_t n_t                   products of vectors are element by element
//
// "This inherently sequential nature precludes parallelization within training examples": position t waits for
// position t - 1, and n_t waits for r_t.
#pragma once

#include <vector>

#include "core/parameter.h"

namespace plainformer {

class GatedRecurrentUnit {
 public:
  struct StepCache {
    Tensor h;        // [batch, d]: the old state
    Tensor z, r;     // [batch, d]
    Tensor reset_h;  // [batch, d]: r h
    Tensor n;        // [batch, d]
  };
  struct Cache {
    Tensor x;                      // [batch, len, d_in]
    std::vector<StepCache> steps;  // [len]
  };
  struct Gradients {
    Tensor x;      // [batch, len, d_in]
    Tensor start;  // [batch, d]
  };
  struct StepGradients {
    Tensor input;  // [batch, 3 d]
    Tensor h;      // [batch, d]
  };

  // All weights start at 0.
  GatedRecurrentUnit(Index d_in, Index d);

  // All positions, from h_{-1} = 0 on. h_t sees the positions up to t, so padding at the end changes nothing before it.
  //   x [batch, len, d_in] -> [batch, len, d]
  Tensor forward(const Tensor& x, Cache& cache) const;
  // Backward through time. Returns grad_x; adds to the gradients of all parameters.    grad_output [batch, len, d]
  Tensor backward(const Tensor& grad_output, const Cache& cache);

  // Starts from another state than 0: a chain that goes on where another one ended.    start [batch, d]
  Tensor forward_from(const Tensor& start, const Tensor& x, Cache& cache) const;
  Gradients backward_from(const Tensor& grad_output, const Cache& cache);

  // The share of the inputs in the three sums, which waits for nothing: x W + b.    x [..., d_in] -> [..., 3 d]
  Tensor input_forward(const Tensor& x) const;
  Tensor input_backward(const Tensor& grad_input, const Tensor& x);

  // One position.    input [batch, 3 d], h [batch, d] -> the new state [batch, d]
  Tensor step_forward(const Tensor& input, const Tensor& h, StepCache& cache) const;
  // Adds to the gradients of u_gates and u_n.    grad_new_h [batch, d]
  StepGradients step_backward(const Tensor& grad_new_h, const StepCache& cache);

  void append_parameters(const std::string& prefix, ParameterList& list);

  Parameter w;        // [d_in, 3 d]: W_z, W_r and W_n beside each other
  Parameter b;        // [3 d]
  Parameter u_gates;  // [d, 2 d]: U_z and U_r
  Parameter u_n;      // [d, d]
};

}  // namespace plainformer
