// Paper: 3.2.1 Scaled Dot-Product Attention, equation (1), for one new query at a time
//
//   head_i = softmax(q_i k_i^T / sqrt(d_k)) v_i      for every head, on keys and values that were kept
//
// When a translation grows by one token, only the newest position has a new query. Its keys and values are
// its own and those of all positions before it, which do not change any more: so they are kept
// (decoding/key_value_cache) and only the newest row of equation (1) is computed. Same numbers as the plain
// form, to the bit.
#pragma once

#include <span>
#include <vector>

#include "core/tensor.h"
#include "ops/ragged_softmax_matmul.h"

namespace plainformer {

// Queries that choose from the same keys and values: all live hypotheses of one sentence.
struct QueryGroup {
  Index first_row, rows;  // which rows of q
  MatrixView keys;        // [heads * d_k, positions]: transposed, so that a position is a column
  MatrixView values;      // [positions, heads * d_k]
};

// The positions that a query sees, ascending: its own past in self-attention, the whole sentence in
// encoder-decoder attention.
using VisiblePositions = VisibleColumns;

// Before the output projection.    q [rows, 1, heads * d_k] -> concat, the same shape
//   groups    cover the rows of q in order, without a gap
//   visible   [rows]; a query has weight exactly 0 for all other positions of its group
Tensor incremental_attention(const Tensor& q, std::span<const QueryGroup> groups,
                             std::span<const VisiblePositions> visible, Index heads);

}  // namespace plainformer
