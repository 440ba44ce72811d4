// Paper: 3.2.1 Scaled Dot-Product Attention (dot-product attention, without the scaling factor)
//
//   output = softmax(Q K^T) V
//
// "Dot-product attention is identical to our algorithm, except for the scaling factor of 1/sqrt(d_k)." So it
// is equation (1) of queries that are sqrt(d_k) times as long: the factor cancels the root.
#pragma once

#include "ops/scaled_dot_product_attention.h"

namespace plainformer {

// Arguments and masks as in attention_forward.
Tensor dot_product_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                     const AttentionMask& mask, Index heads, AttentionCache& cache);

// grad_output [batch, query_len, heads * d_v]
AttentionGradients dot_product_attention_backward(const Tensor& grad_output, const AttentionCache& cache);

}  // namespace plainformer
