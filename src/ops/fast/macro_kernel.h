// The macro-kernel: a matrix product whose factors fit into the caches, on one thread.
//
// The words are those of BLIS (Van Zee and van de Geijn 2015). A product c = a b is cut three times:
//   - into blocks that fit into the caches (matmul.cpp);
//   - a block of a into micro-panels of a few rows, and a block of b into micro-panels of a few columns;
//   - c, by both, into tiles of a few rows and columns.
// A left and a right micro-panel meet in one tile of c. The micro-kernel (MicroTile in kernels/kernels.h)
// computes it, with all its sums in registers. The macro-kernel runs the micro-kernel for every pair of
// micro-panels of two blocks. A block is read where it lies, or is first packed: copied into the order in
// which the micro-kernel reads it.
#pragma once

#include "core/storage.h"
#include "kernels/kernels.h"
#include "ops/fast/matmul.h"

namespace plainformer {

// A right factor [depth, cols], as micro-panels of kernels().tile_cols columns. Element (p, j) of micro-panel
// i is data[i * panel_stride + p * row_stride + j]. An element is a number, or a pair of bfloat16
// (kernels/bf16.h).
struct RightMicroPanels {
  const Real* data;
  Index depth, cols;
  Index panel_stride, row_stride;
  bool in_pairs = false;

  RightMicroPanels columns(Index first, Index count) const;  // `first` is a multiple of tile_cols
  RightMicroPanels rows(Index first, Index count) const;
};

RightMicroPanels right_in_place(const MatrixView& x);  // x, where it lies

// Packs op(x), if need be in pairs of rows, into memory of the caller: packed_right_size elements.
Index packed_right_size(const MatrixView& x, Transpose transpose, bool in_pairs);
RightMicroPanels pack_right(const MatrixView& x, Transpose transpose, Real* to, bool in_pairs);
RightMicroPanels pack_right(const MatrixView& x, Transpose transpose, Scratch& scratch,
                            bool in_pairs = false);

// The number of pairs that hold `count` numbers.
inline Index pairs(Index count) {
  return (count + 1) / 2;
}

// A left factor [rows, depth], as micro-panels of panel_rows rows, the height of a tile. Element (i, p) of
// micro-panel s is data[s * panel_stride + i * row_stride + p * depth_stride].
struct LeftMicroPanels {
  const Real* data;
  Index rows, panel_rows;
  Index panel_stride, row_stride, depth_stride;
  MatrixView next = {};  // the rows whose turn comes after these, to be prefetched; or none
};

LeftMicroPanels left_in_place(const MatrixView& x);             // x
LeftMicroPanels left_transposed_in_place(const MatrixView& x);  // x^T

// Copies op(x), if need be in pairs of columns. Without a transposition, x is copied row by row, with gaps
// between the rows, so that neighboring rows are not whole pages apart.
LeftMicroPanels pack_left(const MatrixView& x, Transpose transpose, Scratch& scratch, bool in_pairs = false);

// c (+)= a b, then + bias. If b is in pairs, a must be too.
//   c [a.rows, b.cols], bias [b.cols] or null; the sum runs over b.depth
void macro_kernel(const LeftMicroPanels& a, const RightMicroPanels& b, Real* c, Index c_row_stride,
                  bool accumulate, const Real* bias = nullptr);

}  // namespace plainformer
