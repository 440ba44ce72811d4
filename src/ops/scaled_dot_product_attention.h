// Paper: 3.2.1 Scaled Dot-Product Attention, equation (1), Figure 2 (left)
//
//   Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V
//
// in every head of Figure 2 (right). Head h is the h-th block of d_k columns of query and key, and of d_v
// columns of value and output.
#pragma once

#include "core/tensor.h"
#include "ops/attention_mask.h"
#include "ops/attention_weights_hook.h"
#include "ops/ways.h"

namespace plainformer {

// The forward pass keeps this for the backward pass.
struct AttentionCache {
  Way way = kDefaultWay;     // the way of the forward pass
  Tensor query, key, value;  // plain: split into heads, [batch, heads, len, d_k or d_v]; fast: the arguments
  // The number of keys that each query sees. plain: [batch, heads, query_len]; fast: [batch, query_len]
  std::vector<Index> visible_keys = {};
  // plain, or with a hook: [batch, heads, query_len, key_len]; a row sums to 1, or is 0 if all is masked
  Tensor weights = {};
  // fast: [batch, query_len, heads * d_v]
  Tensor output = {};
  // fast: [batch, heads, query_len], log(sum of exp(score)) of each row; 0 if all is masked
  Tensor log_sums = {};
  Index heads = 1;
  AttentionWeightsHook hook = {};
};

struct AttentionGradients {
  Tensor query, key, value;  // shaped like the inputs
};

// A masked position has weight exactly 0, and so no influence as long as its key and value are finite. A
// query that sees no key has output 0.
//   query   [batch, query_len, heads * d_k]
//   key     [batch, key_len, heads * d_k]
//   value   [batch, key_len, heads * d_v]    -> output [batch, query_len, heads * d_v]
//   hook    changes the weights; without one this is equation (1)
Tensor attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                         const AttentionMask& mask, Index heads, AttentionCache& cache,
                         const AttentionWeightsHook& hook = {});

// Computes in the way that filled the cache, because the other way cannot read it.
//   grad_concatenated [batch, query_len, heads * d_v]: the gradient of attention_forward's output
AttentionGradients attention_backward(const Tensor& grad_concatenated, const AttentionCache& cache);

// std::logic_error unless query, key, value and mask have the shapes of attention_forward's.
void check_attention(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionMask& mask,
                     Index heads);

}  // namespace plainformer
