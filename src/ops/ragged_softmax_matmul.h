// Many small products of a softmax at once, each of its own size, on factors that lie inside larger matrices.
#pragma once

#include <span>

#include "ops/matmul.h"

namespace plainformer {

// Some columns of a row, ascending.
using VisibleColumns = std::span<const Index>;

// y = softmax(factor a b) c, where row i of the softmax runs over the columns visible[i] and is exactly 0
// elsewhere.
//   a [m, k], b [k, n], c [n, l], y [m, l] with y_row_stride; no y may overlap anything else
struct SoftmaxProduct {
  MatrixView a, b, c;
  Real factor;
  std::span<const VisibleColumns> visible;  // [m], each in 0 .. n - 1
  Real* y;
  Index y_row_stride;
};

// Computes them all. The bits are those of the same steps one by one: multiply, scale, softmax over the
// visible entries, multiply.
void ragged_softmax_matmul(std::span<const SoftmaxProduct> products);

}  // namespace plainformer
