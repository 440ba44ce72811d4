// Paper: 3.2.1 Scaled Dot-Product Attention, equation (1), Figure 2 (left)
//
//   Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V
//
// in every head of Figure 2 (right): head h is the h-th block of d_k columns of query and key, and of d_v columns
// of value and output.
#pragma once

#include "core/tensor.h"
#include "ops/attention_mask.h"
#include "ops/ways.h"

namespace plainformer {

// What a forward pass keeps for its backward pass.
struct AttentionCache {
  Way way = kDefaultWay;      // which one the forward pass took
  Tensor query, key, value;   // plain: split, [batch, heads, len, d_k or d_v]; fast: as they came
  std::vector<Index> visible = {};  // how many keys each query sees; plain: for every head, fast: for all at once
  Tensor weights = {};        // plain: [batch, heads, query_len, key_len]; a row sums to 1, or is 0 if all is masked
  Tensor output = {};         // fast: [batch, query_len, heads * d_v]
  Tensor log_sums = {};       // fast: [batch, heads, query_len], log(sum of exp(score)) of each row; 0 if all is masked
  Index heads = 1;
};

struct AttentionGradients {
  Tensor query, key, value;  // shaped like the inputs
};

// A masked position has weight exactly 0 (and so no influence, as long as its key and value are finite); a query
// that sees no key has output 0.
//   query [batch, query_len, heads * d_k], key [batch, key_len, heads * d_k], value [batch, key_len, heads * d_v]
//   -> output [batch, query_len, heads * d_v]
Tensor attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                         const AttentionMask& mask, Index heads, AttentionCache& cache);

// grad_output [batch, query_len, heads * d_v].
AttentionGradients attention_backward(const Tensor& grad_output, const AttentionCache& cache);

}  // namespace plainformer
