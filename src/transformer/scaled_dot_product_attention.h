// Paper: 3.2.1 Scaled Dot-Product Attention, equation (1), Figure 2 (left)
//
//   Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V
#pragma once

#include "core/tensor.h"
#include "transformer/attention_mask.h"

namespace plainformer {

struct AttentionCache {
  Tensor query;    // [batch, heads, query_len, d_k]
  Tensor key;      // [batch, heads, key_len, d_k]
  Tensor value;    // [batch, heads, key_len, d_v]
  Tensor weights;  // [batch, heads, query_len, key_len]: each row sums to 1, or is all 0 if fully masked
  std::vector<Index> visible;  // [batch * heads * query_len]: how many keys each query sees
};

struct AttentionGradients {
  Tensor query, key, value;  // shaped like the inputs
};

// Returns the output, [batch, heads, query_len, d_v]. A masked position has weight exactly 0 (and so no
// influence, as long as its key and value are finite); a query that sees no key has output 0.
Tensor scaled_dot_product_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                            const AttentionMask& mask, AttentionCache& cache);

// grad_output [batch, heads, query_len, d_v].
AttentionGradients scaled_dot_product_attention_backward(const Tensor& grad_output,
                                                         const AttentionCache& cache);

}  // namespace plainformer
