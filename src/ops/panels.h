// Small products inside an operation: the right factor packed once into panels, and used for many tiles.
#pragma once

#include "core/scratch.h"
#include "kernels/kernels.h"
#include "ops/matmul.h"

namespace plainformer {

// A matrix [depth, cols] as panels of kernels().tile_cols columns: element (p, j) of panel i at
// data[i * panel_stride + p * row_stride + j].
struct Panels {
  const Real* data;
  Index depth, cols;
  Index panel_stride, row_stride;

  Panels from_column(Index j) const;  // the columns from j on; j is a multiple of tile_cols
  Panels from_row(Index p) const;     // the rows from p on
};

// A matrix where it lies: its panels are side by side. Worth it for a few rows.
Panels panels_in_place(const MatrixView& x);

// The first `rows` rows of x, packed: a matrix [rows, x.cols].
Panels pack(const MatrixView& x, Index rows, Scratch& scratch);

// The transpose of the first `rows` rows of x, packed: a matrix [x.cols, rows].
Panels pack_transposed(const MatrixView& x, Index rows, Scratch& scratch);

// A left factor, or its transpose, where it lies: element (i, p) at data[i * row_stride + p * depth_stride].
struct LeftFactor {
  const Real* data;
  Index rows, row_stride, depth_stride;
};
LeftFactor rows_of(const MatrixView& x);             // x
LeftFactor transposed_rows_of(const MatrixView& x);  // x^T

// c (+)= a b, tile by tile on this thread.    c [a.rows, b.cols]; the sum runs over b.depth
void multiply_panels(const LeftFactor& a, const Panels& b, Real* c, Index c_row_stride, bool accumulate);

}  // namespace plainformer
