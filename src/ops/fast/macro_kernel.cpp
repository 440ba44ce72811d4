#include "ops/fast/macro_kernel.h"

#include <algorithm>

#include "core/check.h"
#include "ops/rows.h"

namespace plainformer {

namespace {

// Micro-panels of nearly equal height: a last one of a single row would not keep the arithmetic units busy.
Index panel_rows_for(Index rows) {
  return rows == 0 ? 1 : ceil_divide(rows, ceil_divide(rows, kernels().tile_rows));
}

}  // namespace

RightMicroPanels RightMicroPanels::from_column(Index j) const {
  CHECK(j % kernels().tile_cols == 0, "no micro-panel begins at column ", j);
  return {data + j / kernels().tile_cols * panel_stride, depth, cols - j, panel_stride, row_stride, in_pairs};
}

RightMicroPanels RightMicroPanels::from_row(Index p) const {
  return {data + p * row_stride, depth - p, cols, panel_stride, row_stride, in_pairs};
}

RightMicroPanels right_in_place(const MatrixView& x) {
  return {x.data, x.rows, x.cols, kernels().tile_cols, x.row_stride};
}

RightMicroPanels pack_right(const MatrixView& x, Scratch& scratch) {
  return pack_right(x, scratch.take(packed_right_size(x.rows, x.cols)));
}

RightMicroPanels pack_right_transposed(const MatrixView& x, Scratch& scratch) {
  return pack_right_transposed(x, scratch.take(packed_right_size(x.cols, x.rows)));
}

Index packed_right_size(Index depth, Index cols) {
  const Index width = kernels().tile_cols;
  return ceil_divide(cols, width) * width * depth;
}

RightMicroPanels pack_right(const MatrixView& x, Real* to) {
  const Index width = kernels().tile_cols;
  kernels().pack(x.cols, x.rows, x.data, x.row_stride, width, to);
  return {to, x.rows, x.cols, x.rows * width, width};
}

RightMicroPanels pack_right_transposed(const MatrixView& x, Real* to) {
  const Index width = kernels().tile_cols, panel_stride = x.cols * width;
  for (Index j = 0; j < x.rows; j += width) {
    kernels().pack_transposed(std::min(width, x.rows - j), x.cols, x.data + j * x.row_stride, x.row_stride,
                              to + j / width * panel_stride);
  }
  return {to, x.cols, x.rows, panel_stride, width};
}

RightMicroPanels pack_right_pairs(const MatrixView& x, Transpose transpose, Real* to) {
  const bool transposed = transpose == Transpose::kYes;
  const Index depth = transposed ? x.cols : x.rows, cols = transposed ? x.rows : x.cols;
  const Index width = kernels().tile_cols, panel_stride = pairs(depth) * width;
  Scratch scratch;
  Real* panel = scratch.take(depth * width);
  for (Index j = 0; j < cols; j += width) {
    const Index panel_cols = std::min(width, cols - j);
    if (transposed)
      kernels().pack_transposed(panel_cols, depth, x.data + j * x.row_stride, x.row_stride, panel);
    else
      kernels().pack(panel_cols, depth, x.data + j, x.row_stride, width, panel);
    kernels().pair_rows(depth, width, panel, to + j / width * panel_stride);
  }
  return {to, pairs(depth), cols, panel_stride, width, /*in_pairs=*/true};
}

LeftMicroPanels left_in_place(const MatrixView& x) {
  const Index panel_rows = panel_rows_for(x.rows);
  return {x.data, x.rows, panel_rows, panel_rows * x.row_stride, x.row_stride, 1};
}

LeftMicroPanels left_transposed_in_place(const MatrixView& x) {
  const Index panel_rows = panel_rows_for(x.cols);
  return {x.data, x.cols, panel_rows, panel_rows, 1, x.row_stride};
}

LeftMicroPanels pack_left_transposed(const MatrixView& x, Scratch& scratch) {
  const Index panel_rows = panel_rows_for(x.cols), panel_stride = panel_rows * x.rows;
  Real* to = scratch.take(ceil_divide(x.cols, panel_rows) * panel_stride);
  kernels().pack(x.cols, x.rows, x.data, x.row_stride, panel_rows, to);
  return {to, x.cols, panel_rows, panel_stride, 1, panel_rows};
}

namespace {

// The distance of copied rows: an odd number of cache lines.
Index spread_row_stride(Index cols) {
  constexpr Index kLine = 64 / sizeof(Real);
  return (ceil_divide(cols, kLine) | 1) * kLine;
}

}  // namespace

LeftMicroPanels left_spread_out(const MatrixView& x, Scratch& scratch) {
  const Index row_stride = spread_row_stride(x.cols);
  Real* to = scratch.take(x.rows * row_stride);
  for (Index i = 0; i < x.rows; ++i) std::copy_n(x.data + i * x.row_stride, x.cols, to + i * row_stride);
  return left_in_place({to, x.rows, x.cols, row_stride});
}

LeftMicroPanels pack_left_pairs(const MatrixView& x, Transpose transpose, Scratch& scratch) {
  if (transpose == Transpose::kNo) {
    const Index cols = pairs(x.cols), row_stride = spread_row_stride(cols);
    Real* to = scratch.take(x.rows * row_stride);
    for (Index i = 0; i < x.rows; ++i)
      kernels().pair_neighbors(x.cols, x.data + i * x.row_stride, to + i * row_stride);
    return left_in_place({to, x.rows, cols, row_stride});
  }
  const Index panel_rows = panel_rows_for(x.cols), panel_stride = panel_rows * x.rows;
  Real* to = scratch.take(ceil_divide(x.cols, panel_rows) * panel_stride);
  kernels().pack(x.cols, x.rows, x.data, x.row_stride, panel_rows, to);
  for (Index i = 0; i < x.cols; i += panel_rows) {
    Real* panel = to + i / panel_rows * panel_stride;
    kernels().pair_rows(x.rows, panel_rows, panel, panel);
  }
  return {to, x.cols, panel_rows, panel_stride, 1, panel_rows};
}

namespace {

// The rows that are needed after the micro-panel that begins with row i; none if a has been packed, because
// its copy is in the second-level cache.
MatrixView next_panel(const LeftMicroPanels& a, Index i, Index depth) {
  const Index begin = i + a.panel_rows;
  if (begin >= a.rows) return a.next;
  if (a.depth_stride != 1) return {};
  return {a.data + begin / a.panel_rows * a.panel_stride, std::min(a.panel_rows, a.rows - begin), depth,
          a.row_stride};
}

// The tiles of a micro-panel prefetch the rows of the next one, up to two rows each.
void share_out(const MatrixView& next, Index tile_index, Index rows_of_a_tile, MicroTile& tile) {
  const Index begin = tile_index * rows_of_a_tile;
  for (Index i = 0; i < 2; ++i) {
    const bool exists = i < rows_of_a_tile && begin + i < next.rows;
    tile.next_rows[i] = exists ? next.data + (begin + i) * next.row_stride : nullptr;
  }
}

}  // namespace

void macro_kernel(const LeftMicroPanels& a, const RightMicroPanels& b, Real* c, Index c_row_stride,
                  bool accumulate, const Real* bias) {
  const Kernels& kernel_set = kernels();
  const auto micro_kernel = b.in_pairs ? kernel_set.micro_kernel_bf16 : kernel_set.micro_kernel;
  const Index tile_cols = kernel_set.tile_cols, row_tile_cols = kernel_set.row_tile_cols;
  MicroTile tile = {};
  tile.depth = b.depth;
  tile.a_row_stride = a.row_stride;
  tile.a_depth_stride = a.depth_stride;
  tile.b_row_stride = b.row_stride;
  tile.c_row_stride = c_row_stride;
  tile.accumulate = accumulate;
  const bool wide_rows = a.rows == 1 && b.panel_stride == tile_cols;  // micro-panels side by side
  for (Index i = 0; i < a.rows; i += a.panel_rows) {
    tile.rows = std::min(a.panel_rows, a.rows - i);
    tile.a = a.data + i / a.panel_rows * a.panel_stride;
    const MatrixView next = next_panel(a, i, b.depth);
    const Index rows_of_a_tile = ceil_divide(next.rows, std::max<Index>(1, b.cols / tile_cols));
    for (Index j = 0; j < b.cols; j += tile.cols) {
      tile.cols = std::min(wide_rows && b.cols - j >= row_tile_cols ? row_tile_cols : tile_cols, b.cols - j);
      tile.b = b.data + j / tile_cols * b.panel_stride;
      tile.c = c + i * c_row_stride + j;
      tile.bias = bias ? bias + j : nullptr;
      share_out(next, j / tile_cols, rows_of_a_tile, tile);
      micro_kernel(tile);
    }
  }
}

}  // namespace plainformer
