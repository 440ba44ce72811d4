// Read matmul_ladder.cpp first: six steps from three loops to this product. This file is the last step for factors of
// any shape, also transposed, packed before, or rounded to bfloat16.
#include "ops/fast/matmul.h"

#include <algorithm>
#include <cstdint>

#include "core/check.h"
#include "core/multiply_adds.h"
#include "core/thread_pool.h"
#include "ops/fast/bf16_matmul.h"
#include "ops/fast/macro_kernel.h"
#include "ops/precision.h"
#include "ops/rows.h"

namespace plainformer {
namespace {

// The words block, micro-panel, tile, micro-kernel and macro-kernel are explained in macro_kernel.h.

// Block sizes, in elements. A packed block of b stays in the second-level cache while all rows of a pass by.
// A micro-panel of a stays in the first-level cache while it meets all micro-panels of the block.
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

// In multiply-adds. Smaller tasks do not repay waking another thread. From the second size on, there are two
// tasks for each thread, so that the others can help one that is held up.
constexpr Index kTaskSize = 1 << 20;
constexpr Index kLargeTask = 1 << 29;

// A product with fewer rows than this takes as long as with this many: reading b takes longer than the
// arithmetic.
constexpr Index kMemoryBoundRows = 8;

// One product, with both factors seen as op(a) [m, k] and op(b) [k, n].
struct Product {
  const Kernels& kernel_set;
  MatrixView a;
  Transpose transpose_a;
  MatrixView b;
  Transpose transpose_b;
  const RightMicroPanels* packed_b;  // if all of b is packed already; or null
  const Bf16RightPanels* bf16_b;     // likewise, in bfloat16
  Real* c;
  Index c_row_stride;
  bool accumulate;
  const Real* bias;  // [n] or null
  Precision precision;

  Index m() const { return transpose_a == Transpose::kNo ? a.rows : a.cols; }
  Index k() const { return transpose_a == Transpose::kNo ? a.cols : a.rows; }
  Index n() const { return transpose_b == Transpose::kNo ? b.cols : b.rows; }
};

struct Range {
  Index begin, end;
  Index size() const { return end - begin; }
};

// The size of the equal parts, at most `largest` each, into which `size` is cut.
Index even_part(Index size, Index largest) {
  return size == 0 ? 1 : ceil_divide(size, ceil_divide(size, largest));
}

MatrixView part_of(const MatrixView& x, Range rows, Range cols) {
  // A factor that is packed already has no data here, only its size.
  const Real* data = x.data ? x.data + rows.begin * x.row_stride + cols.begin : nullptr;
  return {data, rows.size(), cols.size(), x.row_stride};
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

LeftForm left_form(const Product& product) {
  if (product.transpose_a == Transpose::kYes) return LeftForm::kPacked;
  const bool compete = product.kernel_set.tile_rows > kCompetingRows && product.m() > kCompetingRows;
  return compete && rows_compete(product.a) ? LeftForm::kSpreadOut : LeftForm::kInPlace;
}

// How many rows of op(a) are copied at a time; all of them where nothing is copied.
Index row_block_for(const Product& product, Index rows) {
  switch (left_form(product)) {
    case LeftForm::kInPlace:
      return rows;
    case LeftForm::kSpreadOut:
      return even_part(rows, product.kernel_set.tile_rows);
    case LeftForm::kPacked:
      return even_part(rows, kRowBlock);
  }
  return rows;
}

LeftMicroPanels left_micro_panels(const Product& product, Range rows, Range depth, Scratch& scratch) {
  if (product.transpose_a == Transpose::kYes)
    return pack_left_transposed(part_of(product.a, depth, rows), scratch);
  const MatrixView a = part_of(product.a, rows, depth);
  return left_form(product) == LeftForm::kSpreadOut ? left_spread_out(a, scratch) : left_in_place(a);
}

// A block of op(b), packed if it is not yet and many rows of a will meet it.
RightMicroPanels right_micro_panels(const Product& product, Range depth, Range cols, Index rows,
                                    Scratch& scratch) {
  if (product.packed_b) return part_of(*product.packed_b, depth, cols);
  if (product.transpose_b == Transpose::kYes)
    return pack_right_transposed(part_of(product.b, cols, depth), scratch);
  const MatrixView b = part_of(product.b, depth, cols);
  const Index rows_in_place = rows_compete(product.b) ? kRowsInPlacePages : kRowsInPlace;
  return rows > rows_in_place ? pack_right(b, scratch) : right_in_place(b);
}

// One block of op(a) times one block of op(b).
void multiply_blocks(const Product& product, Range rows, Range cols, Range depth, const RightMicroPanels& b) {
  Scratch scratch;
  const bool first = depth.begin == 0, last = depth.end == product.k();
  macro_kernel(left_micro_panels(product, rows, depth, scratch), b,
               product.c + rows.begin * product.c_row_stride + cols.begin, product.c_row_stride,
               product.accumulate || !first, product.bias && last ? product.bias + cols.begin : nullptr);
}

// A part of op(x), as x stores it.
MatrixView part_of_op(const MatrixView& x, Transpose transpose, Range rows, Range cols) {
  return transpose == Transpose::kYes ? part_of(x, cols, rows) : part_of(x, rows, cols);
}

void multiply_task_in_bf16(const Product& product, Range rows, Range cols) {
  const Range depth = {0, product.k()};
  Bf16RightPanels bf16_b = {};
  if (product.bf16_b) bf16_b = product.bf16_b->from_column(cols.begin);
  multiply_bf16({.a = part_of_op(product.a, product.transpose_a, rows, depth),
                 .transpose_a = product.transpose_a,
                 .b = part_of_op(product.b, product.transpose_b, depth, cols),
                 .transpose_b = product.transpose_b,
                 .packed_b = product.bf16_b ? &bf16_b : nullptr,
                 .c = product.c + rows.begin * product.c_row_stride + cols.begin,
                 .c_row_stride = product.c_row_stride,
                 .accumulate = product.accumulate,
                 .bias = product.bias ? product.bias + cols.begin : nullptr});
}

// Some rows and columns of c, block by block: one thread's task.
void multiply_task(const Product& product, Range rows, Range cols) {
  if (product.precision == Precision::kBf16) return multiply_task_in_bf16(product, rows, cols);
  const Index tile_cols = product.kernel_set.tile_cols;
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

// Cuts c into a grid of tasks. Twice as many tasks down pack b twice as often. Twice as many across copy a
// twice as often, or only read it, which is cheap. The cheaper cut comes first.
void multiply_in_parallel(const Product& product) {
  const Index m = product.m(), n = product.n();
  const bool in_bf16 = product.precision == Precision::kBf16;
  const Index tile_rows = in_bf16 ? kBf16PanelCols : product.kernel_set.tile_rows;
  const Index tile_cols = in_bf16 ? kBf16PanelCols : product.kernel_set.tile_cols;
  const Index tiles_down = ceil_divide(m, tile_rows), tiles_across = ceil_divide(n, tile_cols);
  const std::int64_t products_of_a_row = std::int64_t{n} * product.k();
  count_multiply_adds(m * products_of_a_row);
  const std::int64_t work = std::max(m, kMemoryBoundRows) * products_of_a_row;
  const auto tasks = static_cast<Index>(std::min<std::int64_t>(threads(), work / kTaskSize));
  const Index wanted = m * products_of_a_row / threads() >= kLargeTask ? 2 * tasks : tasks;
  const Index a_cost = product.transpose_a == Transpose::kYes ? m : m / 4;
  Index down = 1, across = 1;
  while (down * across < wanted && (down < tiles_down || across < tiles_across)) {
    if (across == tiles_across || (down < tiles_down && a_cost * across >= n * down))
      down = std::min(2 * down, tiles_down);
    else
      across = std::min(2 * across, tiles_across);
  }
  const Index rows = ceil_divide(tiles_down, down) * tile_rows;
  const Index cols = ceil_divide(tiles_across, across) * tile_cols;
  parallel_for(down * across, 1, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      const Index i = task / across * rows, j = task % across * cols;
      if (i < m && j < n) multiply_task(product, {i, std::min(i + rows, m)}, {j, std::min(j + cols, n)});
    }
  });
}

}  // namespace

MatrixView as_matrix(const Tensor& x) {
  return {x.data(), row_count(x), row_length(x), row_length(x)};
}

void multiply(MatrixView a, Transpose transpose_a, MatrixView b, Transpose transpose_b, Real* c,
              Index c_row_stride, bool accumulate, const Real* bias) {
  const Product product = {.kernel_set = kernels(),
                           .a = a,
                           .transpose_a = transpose_a,
                           .b = b,
                           .transpose_b = transpose_b,
                           .packed_b = nullptr,
                           .bf16_b = nullptr,
                           .c = c,
                           .c_row_stride = c_row_stride,
                           .accumulate = accumulate,
                           .bias = bias,
                           .precision = product_precision};
  const Index b_rows = transpose_b == Transpose::kNo ? b.rows : b.cols;
  CHECK(b_rows == product.k(), "op(a) has ", product.k(), " columns, op(b) has ", b_rows, " rows");
  multiply_in_parallel(product);
}

namespace {

void multiply_by_packed(MatrixView a, MatrixView shape_of_b, const RightMicroPanels* packed_b,
                        const Bf16RightPanels* bf16_b, Real* c, Index c_row_stride, const Real* bias) {
  CHECK(a.cols == shape_of_b.rows, "a has ", a.cols, " columns, b has ", shape_of_b.rows, " rows");
  multiply_in_parallel({.kernel_set = kernels(),
                        .a = a,
                        .transpose_a = Transpose::kNo,
                        .b = shape_of_b,
                        .transpose_b = Transpose::kNo,
                        .packed_b = packed_b,
                        .bf16_b = bf16_b,
                        .c = c,
                        .c_row_stride = c_row_stride,
                        .accumulate = false,
                        .bias = bias,
                        .precision = bf16_b ? Precision::kBf16 : Precision::kFloat});
}

}  // namespace

void multiply(MatrixView a, const RightMicroPanels& b, Real* c, Index c_row_stride, const Real* bias) {
  multiply_by_packed(a, {nullptr, b.depth, b.cols, 0}, &b, nullptr, c, c_row_stride, bias);
}

void multiply(MatrixView a, const Bf16RightPanels& b, Real* c, Index c_row_stride, const Real* bias) {
  multiply_by_packed(a, {nullptr, b.depth, b.cols, 0}, nullptr, &b, c, c_row_stride, bias);
}

}  // namespace plainformer
