// Equation (1) for the newest position of translations that grow.
//
//   head_h = softmax(q_h k_h^T / sqrt(d_k)) v_h      for every head h, on keys and values that were kept
//
// When a translation grows by one token, only the newest position has a new query. It attends to its own key
// and value and to those of all earlier positions. These no longer change, so they are kept
// (decoding/fast/key_value_cache), and only the newest row of equation (1) is computed. It has the bits of
// the single steps: multiply, scale, softmax over the visible keys, multiply.
#pragma once

#include <span>

#include "ops/fast/matmul.h"

namespace plainformer {

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
