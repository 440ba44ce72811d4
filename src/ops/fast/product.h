// A matrix product, and how its result is shared among the threads. The products in float (matmul) and in bfloat16
// (bf16_matmul) differ below this level only.
#pragma once

#include <functional>

#include "ops/fast/matmul.h"

namespace plainformer {

// c (+)= op(a) op(b), then + bias, where op transposes or not.    op(a) [m, k], op(b) [k, n], c [m, n]
template <typename PackedPanels>
struct Product {
  MatrixView a;
  Transpose transpose_a;
  MatrixView b;
  Transpose transpose_b;
  const PackedPanels* packed_b;  // all of b, if it is packed already; or null
  Real* c;
  Index c_row_stride;
  bool accumulate;
  const Real* bias;  // [n] or null

  Index m() const { return transpose_a == Transpose::kNo ? a.rows : a.cols; }
  Index k() const { return transpose_a == Transpose::kNo ? a.cols : a.rows; }
  Index n() const { return transpose_b == Transpose::kNo ? b.cols : b.rows; }

  Real* c_at(Index row, Index col) const { return c + row * c_row_stride + col; }
};

// c = a b, then + bias, with b packed already.    a [m, b.depth]
template <typename PackedPanels>
Product<PackedPanels> by_packed(const MatrixView& a, const PackedPanels& b, Real* c, Index c_row_stride,
                                const Real* bias) {
  return {.a = a,
          .transpose_a = Transpose::kNo,
          .b = {nullptr, b.depth, b.cols, 0},  // its size alone
          .transpose_b = Transpose::kNo,
          .packed_b = &b,
          .c = c,
          .c_row_stride = c_row_stride,
          .accumulate = false,
          .bias = bias};
}

// Some neighboring rows or columns.
struct Range {
  Index begin, end;
  Index size() const { return end - begin; }
};

// Some rows and columns of op(x), as x stores them.
MatrixView part_of(const MatrixView& x, Transpose transpose, Range rows, Range cols);

// The extents of a product, and of the tiles into which a kernel cuts c.
struct ProductSize {
  Index m, k, n;
  Index tile_rows, tile_cols;
};

// Cuts c into a grid of tasks along the borders of its tiles, and calls multiply_task(rows, cols) for each, on several
// threads.
//   a_is_copied   each task copies its rows of a, which makes a cut across c expensive
void multiply_in_tasks(const ProductSize& size, bool a_is_copied,
                       const std::function<void(Range rows, Range cols)>& multiply_task);

}  // namespace plainformer
