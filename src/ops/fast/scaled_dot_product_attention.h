// The fast way of equation (1), for all heads at once: MultiHeadAttention::attend leaves for it.
//
// Head h is the h-th block of d_k columns of query and key, and of d_v columns of value and output: nothing
// is split or concatenated. The weights are computed tile by tile, and none is kept.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/scaled_dot_product_attention.h"

namespace plainformer::fast {

// The forward pass keeps this for the backward pass.
struct AttentionCache {
  Tensor query, key, value;         // the inputs
  std::vector<Index> visible_keys;  // [batch, query_len]: the number of keys that each query sees
  Tensor output;                    // [batch, query_len, heads * d_v]
  Tensor log_sums;  // [batch, heads, query_len]: log(sum of exp(score)) of each row; 0 if all is masked
  Index heads = 1;
};

//   query [batch, query_len, heads * d_k]
//   key   [batch, key_len, heads * d_k]
//   value [batch, key_len, heads * d_v]    -> output [batch, query_len, heads * d_v]
Tensor attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                         const AttentionMask& mask, Index heads, AttentionCache& cache);

//   grad_output [batch, query_len, heads * d_v]
AttentionGradients attention_backward(const Tensor& grad_output, const AttentionCache& cache);

// The number of queries that equation (1) multiplies together, by all keys up to the last that one of them
// sees. It depends on the kernels in use. (train/training_cost predicts work and memory by it.)
Index queries_of_tile();

// The fewest heads that repay waking a thread, which takes as long as some 100,000 multiply-adds.
//   products   the multiply-adds of one head. The rest of a head's work takes as long as some 2,000 more
Index head_grain(std::int64_t products);

}  // namespace plainformer::fast
