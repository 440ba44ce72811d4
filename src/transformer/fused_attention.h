// Paper: 3.2.1 Scaled Dot-Product Attention
//
// Equation (1) for all heads at once, fused: the matrix of weights never exists. To read the equation, read
// scaled_dot_product_attention; a test holds the two equal.
#pragma once

#include "transformer/attention_mask.h"
#include "ops/softmax_matmul.h"

namespace plainformer {

using FusedAttentionCache = SoftmaxMatmulCache;  // a, b, c, y are query, key, value, output

// Head i is the i-th block of columns.
//   query [batch, query_len, heads * d_k], key [batch, key_len, heads * d_k],
//   value [batch, key_len, heads * d_v]
//   -> output [batch, query_len, heads * d_v]: the heads' outputs side by side
Tensor fused_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                               const AttentionMask& mask, Index heads, FusedAttentionCache& cache);

struct FusedAttentionGradients {
  Tensor query, key, value;  // shaped like the inputs
};
FusedAttentionGradients fused_attention_backward(const Tensor& grad_output, const FusedAttentionCache& cache);

}  // namespace plainformer
