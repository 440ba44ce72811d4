#include "ops/fast/bf16_matmul.h"

#include <algorithm>

#include "core/check.h"
#include "kernels/kernels.h"
#include "ops/rows.h"

namespace plainformer {

namespace {

// Block sizes, in elements. A packed block of each factor stays in the second-level cache: that of the right one
// while all rows of the left one pass by, that of the left one while it meets all micro-panels of the right one.
// The left factor is packed again for each block of columns, so these are wide.
constexpr Index kBf16RowBlock = 256, kBf16ColumnBlock = 1024, kBf16DepthBlock = 512;

Bf16Source source_of(const MatrixView& x) {
  return {x.data, x.rows, x.cols, x.row_stride};
}

// A left factor [rows, depth]. Its rows are an odd number of cache lines apart: rows that are a power of two
// apart would compete for the same places of the caches.
struct LeftFactor {
  const Bf16* data;
  Index row_stride;
};

LeftFactor pack_left(const MatrixView& x, Transpose transpose, Scratch& scratch) {
  constexpr Index kLine = 64 / sizeof(Bf16), kReadableRows = 16;
  const bool transposed = transpose == Transpose::kYes;
  const Index rows = transposed ? x.cols : x.rows, depth = bf16_depth(transposed ? x.rows : x.cols);
  const Index row_stride = (depth / kLine | 1) * kLine;
  Bf16* to = take_bf16(scratch, ceil_divide(rows, kReadableRows) * kReadableRows * row_stride);
  const Bf16Kernels& kernel_set = *kernels().bf16;
  (transposed ? kernel_set.pack_left_transposed : kernel_set.pack_left)(source_of(x), to, row_stride);
  return {to, row_stride};
}

// A block of the right factor, packed if it is not yet.
Bf16RightPanels right_factor(const Bf16Product& product, Range depth, Range cols, Scratch& scratch) {
  if (product.packed_b) return product.packed_b->from_column(cols.begin).from_row(depth.begin);
  return pack_right_bf16(part_of(product.b, product.transpose_b, depth, cols), product.transpose_b,
                         take_bf16(scratch, packed_bf16_size(depth.size(), cols.size())));
}

// One block of the left factor times one block of the right one.
void multiply_blocks(const Bf16Product& product, Range rows, Range cols, Range depth,
                     const Bf16RightPanels& b) {
  Scratch scratch;
  const bool first = depth.begin == 0, last = depth.end == product.k();
  const LeftFactor a =
      pack_left(part_of(product.a, product.transpose_a, rows, depth), product.transpose_a, scratch);
  kernels().bf16->multiply({.rows = rows.size(),
                            .cols = cols.size(),
                            .depth = bf16_depth(depth.size()),
                            .a = a.data,
                            .a_row_stride = a.row_stride,
                            .b = b.data,
                            .b_panel_stride = b.panel_stride,
                            .c = product.c_at(rows.begin, cols.begin),
                            .c_row_stride = product.c_row_stride,
                            .accumulate = product.accumulate || !first,
                            .bias = product.bias && last ? product.bias + cols.begin : nullptr});
}

// Some rows and columns of c, block by block: one thread's task.
void multiply_task(const Bf16Product& product, Range rows, Range cols) {
  for (Index j = cols.begin; j < cols.end; j += kBf16ColumnBlock)
    for (Index p = 0; p == 0 || p < product.k(); p += kBf16DepthBlock) {
      const Range block_cols = {j, std::min(j + kBf16ColumnBlock, cols.end)};
      const Range depth = {p, std::min(p + kBf16DepthBlock, product.k())};
      Scratch scratch;
      const Bf16RightPanels b = right_factor(product, depth, block_cols, scratch);
      for (Index i = rows.begin; i < rows.end; i += kBf16RowBlock)
        multiply_blocks(product, {i, std::min(i + kBf16RowBlock, rows.end)}, block_cols, depth, b);
    }
}

}  // namespace

Bf16RightPanels Bf16RightPanels::from_column(Index j) const {
  CHECK(j % kBf16PanelCols == 0, "no micro-panel begins at column ", j);
  return {data + j / kBf16PanelCols * panel_stride, depth, cols - j, panel_stride};
}

Bf16RightPanels Bf16RightPanels::from_row(Index p) const {
  CHECK(p % kBf16DepthStep == 0, "row ", p, " is no multiple of ", kBf16DepthStep);
  return {data + p * kBf16PanelCols, depth - p, cols, panel_stride};
}

Index reals_for_bf16(Index count) {
  return ceil_divide(count, sizeof(Real) / sizeof(Bf16));
}

Bf16* take_bf16(Scratch& scratch, Index count) {
  return reinterpret_cast<Bf16*>(scratch.take(reals_for_bf16(count)));
}

Index packed_bf16_size(Index depth, Index cols) {
  return bf16_depth(depth) * ceil_divide(cols, kBf16PanelCols) * kBf16PanelCols;
}

Bf16RightPanels pack_right_bf16(const MatrixView& x, Transpose transpose, Bf16* to) {
  const bool transposed = transpose == Transpose::kYes;
  const Bf16Kernels& kernel_set = *kernels().bf16;
  (transposed ? kernel_set.pack_right_transposed : kernel_set.pack_right)(source_of(x), to);
  const Index depth = transposed ? x.cols : x.rows;
  return {to, depth, transposed ? x.rows : x.cols, bf16_depth(depth) * kBf16PanelCols};
}

void multiply_bf16(const Bf16Product& product) {
  multiply_in_tasks({product.m(), product.k(), product.n(), kBf16PanelCols, kBf16PanelCols},
                    /*a_is_copied=*/product.transpose_a == Transpose::kYes,
                    [&](Range rows, Range cols) { multiply_task(product, rows, cols); });
}

void multiply_bf16(MatrixView a, const Bf16RightPanels& b, Real* c, Index c_row_stride, const Real* bias) {
  CHECK(a.cols == b.depth, "a has ", a.cols, " columns, b has ", b.depth, " rows");
  multiply_bf16(by_packed(a, b, c, c_row_stride, bias));
}

}  // namespace plainformer
