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

RightMicroPanels RightMicroPanels::columns(Index first, Index count) const {
  CHECK(first % kernels().tile_cols == 0, "no micro-panel begins at column ", first);
  return {
      data + first / kernels().tile_cols * panel_stride, depth, count, panel_stride, row_stride, in_pairs};
}

RightMicroPanels RightMicroPanels::rows(Index first, Index count) const {
  return {data + first * row_stride, count, cols, panel_stride, row_stride, in_pairs};
}

RightMicroPanels right_in_place(const MatrixView& x) {
  return {x.data, x.rows, x.cols, kernels().tile_cols, x.row_stride};
}

Index packed_right_size(const MatrixView& x, Transpose transpose, bool in_pairs) {
  const bool transposed = transpose == Transpose::kYes;
  const Index depth = transposed ? x.cols : x.rows, cols = transposed ? x.rows : x.cols;
  const Index width = kernels().tile_cols;
  return ceil_divide(cols, width) * width * (in_pairs ? pairs(depth) : depth);
}

RightMicroPanels pack_right(const MatrixView& x, Transpose transpose, Real* to, bool in_pairs) {
  const bool transposed = transpose == Transpose::kYes;
  const Index depth = transposed ? x.cols : x.rows, cols = transposed ? x.rows : x.cols;
  const Index width = kernels().tile_cols, packed_depth = in_pairs ? pairs(depth) : depth;
  const RightMicroPanels packed = {to, packed_depth, cols, packed_depth * width, width, in_pairs};
  if (!transposed && !in_pairs) {
    kernels().pack(cols, depth, x.data, x.row_stride, width, to);
    return packed;
  }
  Scratch scratch;
  Real* numbers = in_pairs ? scratch.take(depth * width) : nullptr;
  for (Index j = 0; j < cols; j += width) {
    Real* packed_panel = to + j / width * packed.panel_stride;
    Real* panel = in_pairs ? numbers : packed_panel;
    const Index panel_cols = std::min(width, cols - j);
    if (transposed)
      kernels().pack_transposed(panel_cols, depth, x.data + j * x.row_stride, x.row_stride, panel);
    else
      kernels().pack(panel_cols, depth, x.data + j, x.row_stride, width, panel);
    if (in_pairs) kernels().pair_rows(depth, width, panel, packed_panel);
  }
  return packed;
}

RightMicroPanels pack_right(const MatrixView& x, Transpose transpose, Scratch& scratch, bool in_pairs) {
  return pack_right(x, transpose, scratch.take(packed_right_size(x, transpose, in_pairs)), in_pairs);
}

LeftMicroPanels left_in_place(const MatrixView& x) {
  const Index panel_rows = panel_rows_for(x.rows);
  return {x.data, x.rows, panel_rows, panel_rows * x.row_stride, x.row_stride, 1};
}

LeftMicroPanels left_transposed_in_place(const MatrixView& x) {
  const Index panel_rows = panel_rows_for(x.cols);
  return {x.data, x.cols, panel_rows, panel_rows, 1, x.row_stride};
}

LeftMicroPanels pack_left(const MatrixView& x, Transpose transpose, Scratch& scratch, bool in_pairs) {
  if (transpose == Transpose::kYes) {
    const Index panel_rows = panel_rows_for(x.cols), panel_stride = panel_rows * x.rows;
    Real* to = scratch.take(ceil_divide(x.cols, panel_rows) * panel_stride);
    kernels().pack(x.cols, x.rows, x.data, x.row_stride, panel_rows, to);
    for (Index i = 0; in_pairs && i < x.cols; i += panel_rows) {
      Real* panel = to + i / panel_rows * panel_stride;
      kernels().pair_rows(x.rows, panel_rows, panel, panel);
    }
    return {to, x.cols, panel_rows, panel_stride, 1, panel_rows};
  }
  // The distance of the copied rows is an odd number of cache lines.
  constexpr Index kLine = 64 / sizeof(Real);
  const Index cols = in_pairs ? pairs(x.cols) : x.cols, row_stride = (ceil_divide(cols, kLine) | 1) * kLine;
  Real* to = scratch.take(x.rows * row_stride);
  for (Index i = 0; i < x.rows; ++i) {
    const Real* row = x.data + i * x.row_stride;
    if (in_pairs)
      kernels().pair_neighbors(x.cols, row, to + i * row_stride);
    else
      std::copy_n(row, x.cols, to + i * row_stride);
  }
  return left_in_place({to, x.rows, cols, row_stride});
}

namespace {

// The rows that are needed after the micro-panel that begins with row i; none if a row's elements are not
// side by side.
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
  const bool wide_rows = a.rows == 1 && b.depth > 0 && b.panel_stride == tile_cols;  // panels side by side
  for (Index i = 0; i < a.rows; i += a.panel_rows) {
    tile.rows = std::min(a.panel_rows, a.rows - i);
    tile.a = a.data + i / a.panel_rows * a.panel_stride;
    const MatrixView next = next_panel(a, i, b.depth);
    const Index rows_of_a_tile = ceil_divide(next.rows, std::max<Index>(1, b.cols / tile_cols));
    for (Index j = 0; j < b.cols; j += tile.cols) {
      const Index left = b.cols - j;
      tile.cols = wide_rows && left >= row_tile_cols ? left - left % row_tile_cols : std::min(tile_cols, left);
      tile.b = b.data + j / tile_cols * b.panel_stride;
      tile.c = c + i * c_row_stride + j;
      tile.bias = bias ? bias + j : nullptr;
      share_out(next, j / tile_cols, rows_of_a_tile, tile);
      micro_kernel(tile);
    }
  }
}

}  // namespace plainformer
