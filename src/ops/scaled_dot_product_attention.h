// Paper: 3.2.1 Scaled Dot-Product Attention, equation (1), Figure 2 (left)
//
//   Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V
//
// in each head by itself. MultiHeadAttention (transformer/) splits the heads before and concatenates them
// after.
#pragma once

#include <vector>

#include "core/tensor.h"
#include "ops/attention_mask.h"

namespace plainformer {

// The forward pass keeps this for the backward pass.
struct AttentionCache {
  Tensor q, k, v;                   // the inputs
  std::vector<Index> visible_keys;  // [batch, heads, query_len]: the number of keys that each query sees
  Tensor weights;  // [batch, heads, query_len, key_len]; a row sums to 1, or is 0 if all is masked
};

struct AttentionGradients {
  Tensor q, k, v;  // shaped like the inputs
};

// A masked position has weight exactly 0, and so no influence as long as its key and value are finite. A
// query that sees no key has output 0.
//   q [batch, heads, query_len, d_k]
//   k [batch, heads, key_len, d_k]
//   v [batch, heads, key_len, d_v]    -> output [batch, heads, query_len, d_v]
Tensor attention_forward(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionMask& mask,
                         AttentionCache& cache);

//   grad_output [batch, heads, query_len, d_v]
AttentionGradients attention_backward(const Tensor& grad_output, const AttentionCache& cache);

}  // namespace plainformer
