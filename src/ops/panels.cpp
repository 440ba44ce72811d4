#include "ops/panels.h"

#include <algorithm>

#include "core/check.h"

namespace plainformer {

namespace {

Index panels_for(Index cols) {
  return (cols + kernels().tile_cols - 1) / kernels().tile_cols;
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

Panels pack(const MatrixView& x, Index rows, Scratch& scratch) {
  const Index width = kernels().tile_cols, panel_stride = rows * width;
  Real* to = scratch.take(panels_for(x.cols) * panel_stride);
  for (Index j = 0; j < x.cols; j += width) {
    kernels().pack(std::min(width, x.cols - j), rows, x.data + j, x.row_stride, to + j / width * panel_stride,
                   width);
  }
  return {to, rows, x.cols, panel_stride, width};
}

Panels pack_transposed(const MatrixView& x, Index rows, Scratch& scratch) {
  const Index width = kernels().tile_cols, panel_stride = x.cols * width;
  Real* to = scratch.take(panels_for(rows) * panel_stride);
  for (Index j = 0; j < rows; j += width) {
    kernels().pack_transposed(std::min(width, rows - j), x.cols, x.data + j * x.row_stride, x.row_stride,
                              to + j / width * panel_stride);
  }
  return {to, x.cols, rows, panel_stride, width};
}

LeftFactor rows_of(const MatrixView& x) {
  return {x.data, x.rows, x.row_stride, 1};
}

LeftFactor transposed_rows_of(const MatrixView& x) {
  return {x.data, x.cols, 1, x.row_stride};
}

void multiply_panels(const LeftFactor& a, const Panels& b, Real* c, Index c_row_stride, bool accumulate) {
  const Kernels& table = kernels();
  Tile tile = {};
  tile.depth = b.depth;
  tile.a_row_stride = a.row_stride;
  tile.a_depth_stride = a.depth_stride;
  tile.b_row_stride = b.row_stride;
  tile.c_row_stride = c_row_stride;
  tile.accumulate = accumulate;
  // Tiles of nearly equal height: a last tile of one row would keep the arithmetic units waiting.
  const Index tiles_down = (a.rows + table.tile_rows - 1) / table.tile_rows;
  const Index tile_rows = tiles_down == 0 ? 1 : (a.rows + tiles_down - 1) / tiles_down;
  for (Index j = 0; j < b.cols; j += table.tile_cols) {
    tile.cols = std::min(table.tile_cols, b.cols - j);
    tile.b = b.data + j / table.tile_cols * b.panel_stride;
    for (Index i = 0; i < a.rows; i += tile_rows) {
      tile.rows = std::min(tile_rows, a.rows - i);
      tile.a = a.data + i * a.row_stride;
      tile.c = c + i * c_row_stride + j;
      table.multiply_tile(tile);
    }
  }
}

}  // namespace plainformer
