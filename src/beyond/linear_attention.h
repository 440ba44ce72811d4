// Attention in linear time (Katharopoulos et al. 2020, "Transformers are RNNs"): beside the paper, not in it.
//
//   output_i = sum over j of (phi(q_i) . phi(k_j)) v_j  /  sum over j of phi(q_i) . phi(k_j)
//
// over the keys j that query i sees, with phi(x) = elu(x) + 1, which is x + 1 for x > 0 and e^x for x <= 0.
// Because the score is a plain product, the sums over j come first: with S = sum of phi(k_j) v_j^T, [d_k,
// d_v], and z = sum of phi(k_j), [d_k],
//
//   output_i = phi(q_i) S / (phi(q_i) . z)
//
// The keys that a query sees are a prefix, and a later query sees no fewer. So S and z only grow from query
// to query, and n queries and keys take O(n d_k d_v) operations, causal or not. No pair of positions is
// computed.
#pragma once

#include <limits>

#include "core/tensor.h"
#include "ops/attention_mask.h"
#include "ops/scaled_dot_product_attention.h"
#include "ops/ways.h"

namespace plainformer {

// Where phi underflows, the denominator does, too. A smaller one than this counts as 0, and the output is 0.
inline constexpr Real kLeastDenominator = std::numeric_limits<Real>::min();

// The forward pass keeps this for the backward pass. Its size grows with n: S and z of the single queries are
// not in it, because the backward pass sums them up again.
struct LinearAttentionCache {
  Way way = kDefaultWay;  // the way of the forward pass
  // plain: phi(query), phi(key) and value, split, [batch, heads, len, d_k or d_v]; fast: the arguments
  Tensor query, key, value;
  AttentionMask mask = {};
  Tensor output = {};        // plain: [batch, heads, query_len, d_v]; fast: [batch, query_len, heads * d_v]
  Tensor denominators = {};  // [batch, heads, query_len], phi(q_i) . z, or 0 (all keys masked, or underflow)
  Index heads = 1;
};

// Shapes, masks and heads as in attention_forward. A query that sees no key has output 0.
//   query   [batch, query_len, heads * d_k]
//   key     [batch, key_len, heads * d_k]
//   value   [batch, key_len, heads * d_v]    -> output [batch, query_len, heads * d_v]
Tensor linear_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                const AttentionMask& mask, Index heads, LinearAttentionCache& cache);

// Computes in the way that filled the cache, because the other way cannot read it.
//   grad_output [batch, query_len, heads * d_v]
AttentionGradients linear_attention_backward(const Tensor& grad_output, const LinearAttentionCache& cache);

}  // namespace plainformer
