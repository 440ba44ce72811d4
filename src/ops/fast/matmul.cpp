// Read matmul_ladder.cpp first: step by step from three loops to this product. This file is the last step for factors
// of any shape, also transposed or packed before.
#include "ops/fast/matmul.h"

#include <algorithm>

#include "core/check.h"
#include "ops/fast/bf16_matmul.h"
#include "ops/fast/macro_kernel.h"
#include "ops/fast/product.h"
#include "ops/precision.h"
#include "ops/rows.h"

namespace plainformer {
namespace {

// The words block, micro-panel, tile, micro-kernel and macro-kernel are explained in macro_kernel.h.

// Block sizes, in elements. A packed block of b stays in the second-level cache while all rows of a pass by.
// A micro-panel of a meets all micro-panels of the block, and each of these pushes most of it out of the
// first-level cache.
constexpr Index kDepthBlock = 512;
constexpr Index kColumnBlock = 512;

// The rows of a transposed a that are packed together: they share the second-level cache with the block of b.
constexpr Index kRowBlock = 112;

// Up to this number of rows of c, b is read in place, because packing it would cost more. Rows of b that are
// whole pages apart compete for the same places of the caches, so packing pays for fewer rows.
constexpr Index kRowsInPlace = 192, kRowsInPlacePages = 16;
constexpr Index kPage = 4096 / sizeof(Real);

// Rows of a that are whole pages apart compete as well. The first-level cache has room for at least this
// many.
constexpr Index kCompetingRows = 8;

using FloatProduct = Product<RightMicroPanels>;

// The size of the equal parts, at most `largest` each, into which `size` is cut.
Index even_part(Index size, Index largest) {
  return size == 0 ? 1 : ceil_divide(size, ceil_divide(size, largest));
}

RightMicroPanels part_of(const RightMicroPanels& x, Range rows, Range cols) {
  RightMicroPanels part = x.from_column(cols.begin).from_row(rows.begin);
  part.depth = rows.size();
  part.cols = cols.size();
  return part;
}

bool rows_compete(const MatrixView& x) {
  return x.row_stride % kPage == 0;
}

// The left factor takes one of three forms.
enum class LeftForm {
  kInPlace,    // Along a row, every cache line is used whole: a copy would gain nothing.
  kSpreadOut,  // Rows that are whole pages apart would push each other out of the first-level cache.
  kPacked,     // Transposed, each step of the sum would be on another page.
};

LeftForm left_form(const FloatProduct& product) {
  if (product.transpose_a == Transpose::kYes) return LeftForm::kPacked;
  const bool compete = kernels().tile_rows > kCompetingRows && product.m() > kCompetingRows;
  return compete && rows_compete(product.a) ? LeftForm::kSpreadOut : LeftForm::kInPlace;
}

// How many rows of op(a) are copied at a time; all of them where nothing is copied.
Index row_block_for(const FloatProduct& product, Index rows) {
  switch (left_form(product)) {
    case LeftForm::kInPlace:
      return rows;
    case LeftForm::kSpreadOut:
      return even_part(rows, kernels().tile_rows);
    case LeftForm::kPacked:
      return even_part(rows, kRowBlock);
  }
  return rows;
}

LeftMicroPanels left_micro_panels(const FloatProduct& product, Range rows, Range depth, Scratch& scratch) {
  const MatrixView a = part_of(product.a, product.transpose_a, rows, depth);
  if (product.transpose_a == Transpose::kYes) return pack_left_transposed(a, scratch);
  if (left_form(product) == LeftForm::kInPlace) return left_in_place(a);
  LeftMicroPanels panels = left_spread_out(a, scratch);
  const Range next = {rows.end, std::min(rows.end + rows.size(), product.m())};
  panels.next = part_of(product.a, product.transpose_a, next, depth);
  return panels;
}

// A block of op(b), packed if it is not yet and many rows of a will meet it.
RightMicroPanels right_micro_panels(const FloatProduct& product, Range depth, Range cols, Index rows,
                                    Scratch& scratch) {
  if (product.packed_b) return part_of(*product.packed_b, depth, cols);
  const MatrixView b = part_of(product.b, product.transpose_b, depth, cols);
  if (product.transpose_b == Transpose::kYes) return pack_right_transposed(b, scratch);
  const Index rows_in_place = rows_compete(product.b) ? kRowsInPlacePages : kRowsInPlace;
  return rows > rows_in_place ? pack_right(b, scratch) : right_in_place(b);
}

// One block of op(a) times one block of op(b).
void multiply_blocks(const FloatProduct& product, Range rows, Range cols, Range depth,
                     const RightMicroPanels& b) {
  Scratch scratch;
  const bool first = depth.begin == 0, last = depth.end == product.k();
  macro_kernel(left_micro_panels(product, rows, depth, scratch), b, product.c_at(rows.begin, cols.begin),
               product.c_row_stride, product.accumulate || !first,
               product.bias && last ? product.bias + cols.begin : nullptr);
}

// Some rows and columns of c, block by block: one thread's task.
void multiply_task(const FloatProduct& product, Range rows, Range cols) {
  const Index tile_cols = kernels().tile_cols;
  const Index column_block = ceil_divide(even_part(cols.size(), kColumnBlock), tile_cols) * tile_cols;
  const Index depth_block = even_part(product.k(), kDepthBlock);
  const Index row_block = row_block_for(product, rows.size());
  for (Index j = cols.begin; j < cols.end; j += column_block)
    for (Index p = 0; p == 0 || p < product.k(); p += depth_block) {
      const Range block_cols = {j, std::min(j + column_block, cols.end)};
      const Range depth = {p, std::min(p + depth_block, product.k())};
      Scratch scratch;
      const RightMicroPanels b = right_micro_panels(product, depth, block_cols, rows.size(), scratch);
      for (Index i = rows.begin; i < rows.end; i += row_block)
        multiply_blocks(product, {i, std::min(i + row_block, rows.end)}, block_cols, depth, b);
    }
}

void multiply(const FloatProduct& product) {
  const Kernels& kernel_set = kernels();
  multiply_in_tasks({product.m(), product.k(), product.n(), kernel_set.tile_rows, kernel_set.tile_cols},
                    /*a_is_copied=*/product.transpose_a == Transpose::kYes,
                    [&](Range rows, Range cols) { multiply_task(product, rows, cols); });
}

}  // namespace

MatrixView as_matrix(const Tensor& x) {
  return {x.data(), row_count(x), row_length(x), row_length(x)};
}

void multiply(MatrixView a, Transpose transpose_a, MatrixView b, Transpose transpose_b, Real* c,
              Index c_row_stride, bool accumulate, const Real* bias) {
  const Index k = transpose_a == Transpose::kNo ? a.cols : a.rows;
  const Index b_rows = transpose_b == Transpose::kNo ? b.rows : b.cols;
  CHECK(b_rows == k, "op(a) has ", k, " columns, op(b) has ", b_rows, " rows");
  if (product_precision == Precision::kBf16)
    multiply_bf16({a, transpose_a, b, transpose_b, /*packed_b=*/nullptr, c, c_row_stride, accumulate, bias});
  else
    multiply({a, transpose_a, b, transpose_b, /*packed_b=*/nullptr, c, c_row_stride, accumulate, bias});
}

void multiply(MatrixView a, const RightMicroPanels& b, Real* c, Index c_row_stride, const Real* bias) {
  CHECK(a.cols == b.depth, "a has ", a.cols, " columns, b has ", b.depth, " rows");
  multiply(by_packed(a, b, c, c_row_stride, bias));
}

}  // namespace plainformer
