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

// Some rows of a left factor, column by column as Tile wants it: element (i, p) at data[p * depth_stride +
// i].
struct Columns {
  const Real* data;
  Index rows, depth_stride;
};

// Rows i .. i + rows - 1 of x, packed into `to` [x.cols, kernels().tile_cols]; rows <= tile_cols.
Columns pack_columns(const MatrixView& x, Index i, Index rows, Real* to);

// c (+)= a b, tile by tile on this thread.    c [a.rows, b.cols]; the sum runs over b.depth
void multiply_panels(const Columns& a, const Panels& b, Real* c, Index c_row_stride, bool accumulate);

}  // namespace plainformer
