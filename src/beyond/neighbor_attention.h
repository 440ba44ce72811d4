// Paper: 4 Why Self-Attention (self-attention restricted to a neighborhood)
//
//   "self-attention could be restricted to considering only a neighborhood of size r in the input sequence
//   centered around the respective output position"
//
// Equation (1) in every head, over the keys that NeighborMask lets a query see. The others are never
// multiplied: n queries make r n dot products, and not n^2. Each global position sees all n keys, and so makes
// n of them.
#pragma once

#include "beyond/neighbor_mask.h"
#include "ops/scaled_dot_product_attention.h"

namespace plainformer {

// The forward pass keeps this for the backward pass. It grows with len, not with its square.
struct NeighborAttentionCache {
  Way way = kDefaultWay;     // the way of the forward pass
  Tensor query, key, value;  // the arguments
  NeighborMask mask = {};
  Index heads = 1;
  AttentionCache global =
      {};  // of the global positions' queries, which go through equation (1) by themselves
  // plain: [batch, heads, len, global + neighbors, neither more than len]; a row holds the weights of the keys
  // that its query sees, in their order, then zeros
  Tensor weights = {};
  Tensor output = {};    // fast: [batch, len, heads * d_v]
  Tensor log_sums = {};  // fast: [batch, heads, len], log(sum of exp(score)) of each row
};

// A key that a query does not see has no influence on it. A query that sees no key has output 0.
//   query, key [batch, len, heads * d_k], value [batch, len, heads * d_v] -> output [batch, len, heads * d_v]
Tensor neighbor_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                  const NeighborMask& mask, Index heads, NeighborAttentionCache& cache);

// Computes in the way that filled the cache, because the other way cannot read it.
//   grad_output [batch, len, heads * d_v]
AttentionGradients neighbor_attention_backward(const Tensor& grad_output,
                                               const NeighborAttentionCache& cache);

}  // namespace plainformer
