#include "ops/fast/panels.h"

#include <algorithm>

#include "core/check.h"
#include "ops/rows.h"

namespace plainformer {

namespace {

// Strips of nearly equal height: a last one of a single row would keep the arithmetic units waiting.
Index strip_rows_for(Index rows) {
  return rows == 0 ? 1 : ceil_divide(rows, ceil_divide(rows, kernels().tile_rows));
}

}  // namespace

Panels Panels::from_column(Index j) const {
  CHECK(j % kernels().tile_cols == 0, "column ", j, " begins no panel");
  return {data + j / kernels().tile_cols * panel_stride, depth, cols - j, panel_stride, row_stride};
}

Panels Panels::from_row(Index p) const {
  return {data + p * row_stride, depth - p, cols, panel_stride, row_stride};
}

Panels panels_in_place(const MatrixView& x) {
  return {x.data, x.rows, x.cols, kernels().tile_cols, x.row_stride};
}

Panels pack(const MatrixView& x, Scratch& scratch) {
  return pack(x, scratch.take(packed_size(x.rows, x.cols)));
}

Panels pack_transposed(const MatrixView& x, Scratch& scratch) {
  return pack_transposed(x, scratch.take(packed_size(x.cols, x.rows)));
}

Index packed_size(Index depth, Index cols) {
  const Index width = kernels().tile_cols;
  return ceil_divide(cols, width) * width * depth;
}

Panels pack(const MatrixView& x, Real* to) {
  const Index width = kernels().tile_cols;
  kernels().pack(x.cols, x.rows, x.data, x.row_stride, width, to);
  return {to, x.rows, x.cols, x.rows * width, width};
}

Panels pack_transposed(const MatrixView& x, Real* to) {
  const Index width = kernels().tile_cols, panel_stride = x.cols * width;
  for (Index j = 0; j < x.rows; j += width) {
    kernels().pack_transposed(std::min(width, x.rows - j), x.cols, x.data + j * x.row_stride, x.row_stride,
                              to + j / width * panel_stride);
  }
  return {to, x.cols, x.rows, panel_stride, width};
}

Strips strips_in_place(const MatrixView& x) {
  const Index strip_rows = strip_rows_for(x.rows);
  return {x.data, x.rows, strip_rows, strip_rows * x.row_stride, x.row_stride, 1};
}

Strips transposed_in_place(const MatrixView& x) {
  const Index strip_rows = strip_rows_for(x.cols);
  return {x.data, x.cols, strip_rows, strip_rows, 1, x.row_stride};
}

Strips pack_transposed_strips(const MatrixView& x, Scratch& scratch) {
  const Index strip_rows = strip_rows_for(x.cols), strip_stride = strip_rows * x.rows;
  Real* to = scratch.take(ceil_divide(x.cols, strip_rows) * strip_stride);
  kernels().pack(x.cols, x.rows, x.data, x.row_stride, strip_rows, to);
  return {to, x.cols, strip_rows, strip_stride, 1, strip_rows};
}

void multiply_panels(const Strips& a, const Panels& b, Real* c, Index c_row_stride, bool accumulate,
                     const Epilogue* epilogue) {
  const Kernels& table = kernels();
  Epilogue here;
  Tile tile = {};
  tile.depth = b.depth;
  tile.a_row_stride = a.row_stride;
  tile.a_depth_stride = a.depth_stride;
  tile.b_row_stride = b.row_stride;
  tile.c_row_stride = c_row_stride;
  tile.accumulate = accumulate;
  tile.epilogue = epilogue ? &here : nullptr;
  const bool wide_rows = a.rows == 1 && b.panel_stride == table.tile_cols;  // panels side by side
  for (Index i = 0; i < a.rows; i += a.strip_rows) {
    tile.rows = std::min(a.strip_rows, a.rows - i);
    tile.a = a.data + i / a.strip_rows * a.strip_stride;
    for (Index j = 0; j < b.cols; j += tile.cols) {
      tile.cols =
          std::min(wide_rows && b.cols - j >= table.row_cols ? table.row_cols : table.tile_cols, b.cols - j);
      tile.b = b.data + j / table.tile_cols * b.panel_stride;
      tile.c = c + i * c_row_stride + j;
      if (epilogue) {
        here = *epilogue;
        if (here.bias) here.bias += j;
      }
      table.multiply_tile(tile);
    }
  }
}

}  // namespace plainformer
