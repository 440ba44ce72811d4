// The fast way of equation (1), for all heads at once: MultiHeadAttention::attend leaves for it.
//
// Head h is the h-th block of d_k columns of query and key, and of d_v columns of value and output: nothing
// is split or concatenated. The weights are computed tile by tile, and none is kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ops/fast/matmul.h"
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
// sees. It depends on the kernels in use. (show/cost predicts work and memory by it.)
Index queries_of_attention_tile();

// The fewest heads that repay waking a thread, which takes as long as some 100,000 multiply-adds.
//   products   the multiply-adds of one head. What else a head does takes as long as some 2,000 more
Index head_grain(std::int64_t products);

}  // namespace plainformer::fast

namespace plainformer {

// --- equation (1) for the newest position of translations that grow ---
//
//   head_h = softmax(q_h k_h^T / sqrt(d_k)) v_h      for every head h, on keys and values that were kept
//
// When a translation grows by one token, only the newest position has a new query. It attends to its own key
// and value and to those of all earlier positions. These no longer change, so they are kept
// (decoding/fast/key_value_cache), and only the newest row of equation (1) is computed. It has the bits of
// the single steps: multiply, scale, softmax over the visible keys, multiply.

// Queries over the same keys and values: all live hypotheses of one sentence.
struct QueryGroup {
  Index first_row, rows;  // which rows of query
  MatrixView keys;        // [heads * d_k, positions]: transposed, so that a position is a column
  MatrixView values;      // [positions, heads * d_v]
};

// The positions that a query sees, in ascending order: its own past in self-attention, the whole sentence in
// encoder-decoder attention.
using VisiblePositions = std::span<const Index>;

// query [rows, 1, heads * d_k] -> the heads' outputs side by side, [rows, 1, heads * d_v]
//   groups    cover the rows of query in order, without a gap
//   visible   [rows]; a query has weight exactly 0 for all other positions of its group
Tensor cached_attention(const Tensor& query, std::span<const QueryGroup> groups,
                        std::span<const VisiblePositions> visible, Index heads);

}  // namespace plainformer
