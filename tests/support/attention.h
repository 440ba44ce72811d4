// Equation (1), and attention in heads side by side, for tests.
#pragma once

#include "transformer/multi_head_attention.h"

namespace plainformer {

// Equation (1), and its weights.    q, k, v [batch, heads, len, d_k or d_v], or [batch, len, ...] of one head
inline Tensor in_heads(const Tensor& x) {
  return x.rank() == 4 ? x : split_heads(x, 1);
}
inline Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionMask& mask) {
  AttentionCache not_kept;
  const Tensor output = attention_forward(in_heads(q), in_heads(k), in_heads(v), mask, not_kept);
  return q.rank() == 4 ? output : concatenate_heads(output);
}
inline Tensor weights_of(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionMask& mask) {
  AttentionCache cache;
  attention_forward(in_heads(q), in_heads(k), in_heads(v), mask, cache);
  return cache.weights;
}

// Attention in the way in use, for heads side by side: query [batch, len, heads * d_k], value [..., heads *
// d_v]. Its projections are not used.
inline MultiHeadAttention heads_of(Index heads, const Tensor& query, const Tensor& value) {
  return {/*d_model=*/1, heads, query.dim(2) / heads, value.dim(2) / heads};
}

}  // namespace plainformer
