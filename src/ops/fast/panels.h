// The factors of a matrix product as the tiles of the kernels want them: where they lie, or packed.
#pragma once

#include "core/scratch.h"
#include "kernels/kernels.h"
#include "ops/fast/matmul.h"

namespace plainformer {

// A right factor [depth, cols], as panels of kernels().tile_cols columns: element (p, j) of panel i at
// data[i * panel_stride + p * row_stride + j].
struct Panels {
  const Real* data;
  Index depth, cols;
  Index panel_stride, row_stride;

  Panels from_column(Index j) const;  // the columns from j on; j is a multiple of tile_cols
  Panels from_row(Index p) const;     // the rows from p on
};

Panels panels_in_place(const MatrixView& x);                    // x: its panels are side by side
Panels pack(const MatrixView& x, Scratch& scratch);             // x
Panels pack_transposed(const MatrixView& x, Scratch& scratch);  // x^T

// The same into memory of one's own, packed_size elements.
Index packed_size(Index depth, Index cols);
Panels pack(const MatrixView& x, Real* to);
Panels pack_transposed(const MatrixView& x, Real* to);

// A left factor, as strips of strip_rows rows, the height of a tile: element (i, p) of strip s at
// data[s * strip_stride + i * row_stride + p * depth_stride].
struct Strips {
  const Real* data;
  Index rows, strip_rows;
  Index strip_stride, row_stride, depth_stride;
};

Strips strips_in_place(const MatrixView& x);                           // x
Strips transposed_in_place(const MatrixView& x);                       // x^T
Strips pack_transposed_strips(const MatrixView& x, Scratch& scratch);  // x^T, copied

// c (+)= a b, strip by strip and panel by panel, on this thread.
//   c [a.rows, b.cols]; the sum runs over b.depth; epilogue, or none, whose bias is that of c's first column
void multiply_panels(const Strips& a, const Panels& b, Real* c, Index c_row_stride, bool accumulate,
                     const Epilogue* epilogue = nullptr);

}  // namespace plainformer
