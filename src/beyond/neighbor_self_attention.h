// Paper: 4 Why Self-Attention (self-attention restricted to a neighborhood)
//
//   "To improve computational performance for tasks involving very long sequences, self-attention could be
//   restricted to considering only a neighborhood of size r in the input sequence centered around the
//   respective output position. This would increase the maximum path length to O(n/r). We plan to investigate
//   this approach further in future work."
//
// Multi-head attention (3.2.2) whose queries, keys and values come from one sequence, around
// neighbor_attention in place of equation (1) over all keys.
#pragma once

#include "beyond/neighbor_attention.h"
#include "core/parameter.h"

namespace plainformer {

class NeighborSelfAttention {
 public:
  struct Cache {
    Tensor x;                          // [batch, len, d_model]
    NeighborAttentionCache attention;  // of the projected q, k, v
    Tensor concat;                     // [batch, len, d_model]: the heads' outputs side by side
  };

  // All weights start at 0. heads divides d_model.
  NeighborSelfAttention(Index d_model, Index heads);

  // x [batch, len, d_model] -> [batch, len, d_model]
  Tensor forward(const Tensor& x, const NeighborMask& mask, Cache& cache) const;

  // Returns grad_x; adds to the gradients of all parameters.    grad_output [batch, len, d_model]
  Tensor backward(const Tensor& grad_output, const Cache& cache);

  void append_parameters(const std::string& prefix, ParameterList& list);

  Parameter w_q, w_k, w_v, w_o;  // [d_model, d_model]

 private:
  Index heads_;
};

}  // namespace plainformer
