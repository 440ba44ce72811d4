// How many multiply-adds the operations have made: one is a product of two numbers, added to a sum.
//
// The products of matrices are counted, in both ways of every operation: m n k for [m, k] times [k, n]. The count is
// of products that are made, not of those that an equation needs: the plain attention multiplies masked positions
// too, the fast one leaves most of them out, and both multiply padding. Work that takes a few steps for each element
// is not counted: softmax, layer norm, ReLU, dropout, sums, biases, embeddings, Adam. Not counted either are the sums
// over a row that such work needs (the softmax's gradient), and the steps of the ladder (ops/fast/matmul_ladder.h).
#pragma once

#include <cstdint>

namespace plainformer {

// An operation reports its multiply-adds here: once for a product or a tile, outside the loops of kernels.
// Any thread may call it. (tests/counting/ holds the reports of the plain way to what its loops make.)
void count_multiply_adds(std::int64_t made);

// All multiply-adds that have been counted since the program began. Two readings differ by the work between them:
//   const std::int64_t before = multiply_adds();
//   model.forward(...);
//   const std::int64_t made = multiply_adds() - before;
std::int64_t multiply_adds();

}  // namespace plainformer
