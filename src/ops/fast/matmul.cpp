// Read matmul_ladder.cpp first: step by step from three loops to this product. This file is the last step for
// factors of any shape, also transposed or packed before.
#include "ops/fast/matmul.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/check.h"
#include "core/thread_pool.h"
#include "ops/fast/fast.h"
#include "ops/fast/macro_kernel.h"
#include "ops/rows.h"
#include "ops/ways.h"

namespace plainformer {
namespace {

// The words block, micro-panel, tile, micro-kernel and macro-kernel are explained in macro_kernel.h.

// c (+)= op(a) op(b), then + bias, where op transposes or not.    op(a) [m, k], op(b) [k, n], c [m, n]
struct Product {
  MatrixView a;
  Transpose transpose_a;
  MatrixView b;
  Transpose transpose_b;
  const RightMicroPanels* packed_b;  // all of b, if it is packed already; or null
  Real* c;
  bool accumulate;
  const Real* bias;  // [n] or null
  bool in_pairs;     // the precision is bfloat16

  Index m() const { return transpose_a == Transpose::kNo ? a.rows : a.cols; }
  Index k() const { return transpose_a == Transpose::kNo ? a.cols : a.rows; }
  Index n() const { return transpose_b == Transpose::kNo ? b.cols : b.rows; }
};

// Some neighboring rows or columns.
struct Range {
  Index begin, end;
  Index size() const { return end - begin; }
};

// Some rows and columns of op(x), as x stores them.
MatrixView part_of(const MatrixView& x, Transpose transpose, Range rows, Range cols) {
  if (transpose == Transpose::kYes) std::swap(rows, cols);
  return columns_of(rows_of(x, rows.begin, rows.size()), cols.begin, cols.size());
}

// --- blocks ---

// Block sizes, in elements. A packed block of b stays in the second-level cache while the rows of `a` pass.
// A micro-panel of `a` meets all micro-panels of the block, and each of these pushes most of it out of the
// first-level cache.
constexpr Index kDepthBlock = 512;
constexpr Index kColumnBlock = 512;

// The rows of a transposed a that are packed together: they share the second-level cache with the block of b.
constexpr Index kRowBlock = 112;

// In pairs of bfloat16 an element takes half of the bytes. a is copied again for each block of columns, so
// these are wide.
constexpr Index kColumnBlockOfPairs = 1024, kRowBlockOfPairs = 224;

// For a task with at most this number of rows, b is read in place, because packing it would cost more. Rows
// of b that are whole pages apart compete for the same places of the caches, so packing pays for fewer rows.
constexpr Index kRowsInPlace = 192, kRowsInPlacePages = 16;
constexpr Index kPage = 4096 / sizeof(Real);

// Rows of a that are whole pages apart compete as well. The first-level cache has room for at least this
// many.
constexpr Index kCompetingRows = 8;

// The size of the equal parts, at most `largest` each, into which `size` is cut.
Index even_part(Index size, Index largest) {
  return size == 0 ? 1 : ceil_divide(size, ceil_divide(size, largest));
}

// Some rows, from an even one on if x is in pairs, and some columns.
RightMicroPanels part_of(const RightMicroPanels& x, Range rows, Range cols) {
  const RightMicroPanels columns = x.columns(cols.begin, cols.size());
  return x.in_pairs ? columns.rows(rows.begin / 2, pairs(rows.size()))
                    : columns.rows(rows.begin, rows.size());
}

bool rows_compete(const MatrixView& x) {
  return x.row_stride % kPage == 0;
}

// Are the rows of a spread out? Along a row, every cache line is used whole, and a copy gains nothing. But
// rows that are whole pages apart would push each other out of the first-level cache.
bool spreads_out(const Product& product) {
  return kernels().tile_rows > kCompetingRows && product.m() > kCompetingRows && rows_compete(product.a);
}

// How many rows of op(a) are copied at a time; all of them where nothing is copied.
Index row_block_for(const Product& product, Index rows) {
  if (product.in_pairs) return even_part(rows, kRowBlockOfPairs);
  if (product.transpose_a == Transpose::kYes) return even_part(rows, kRowBlock);
  return spreads_out(product) ? even_part(rows, kernels().tile_rows) : rows;
}

// A transposed a is packed, because each step of the sum would be on another page.
LeftMicroPanels left_micro_panels(const Product& product, Range rows, Range depth, Scratch& scratch) {
  const MatrixView a = part_of(product.a, product.transpose_a, rows, depth);
  if (product.in_pairs || product.transpose_a == Transpose::kYes)
    return pack_left(a, product.transpose_a, scratch, product.in_pairs);
  if (!spreads_out(product)) return left_in_place(a);
  LeftMicroPanels panels = pack_left(a, Transpose::kNo, scratch);
  const Range next = {rows.end, std::min(rows.end + rows.size(), product.m())};
  panels.next = part_of(product.a, product.transpose_a, next, depth);
  return panels;
}

// A block of op(b), packed if it is not yet and many rows of a will meet it.
RightMicroPanels right_micro_panels(const Product& product, Range depth, Range cols, Index rows,
                                    Scratch& scratch) {
  if (product.packed_b) return part_of(*product.packed_b, depth, cols);
  const MatrixView b = part_of(product.b, product.transpose_b, depth, cols);
  const Index rows_in_place = rows_compete(product.b) ? kRowsInPlacePages : kRowsInPlace;
  if (!product.in_pairs && product.transpose_b == Transpose::kNo && rows <= rows_in_place)
    return right_in_place(b);
  return pack_right(b, product.transpose_b, scratch, product.in_pairs);
}

// One block of op(a) times one block of op(b).
void multiply_blocks(const Product& product, Range rows, Range cols, Range depth, const RightMicroPanels& b) {
  Scratch scratch;
  const bool first = depth.begin == 0, last = depth.end == product.k();
  macro_kernel(left_micro_panels(product, rows, depth, scratch), b,
               product.c + rows.begin * product.n() + cols.begin, product.n(), product.accumulate || !first,
               product.bias && last ? product.bias + cols.begin : nullptr);
}

// Some rows and columns of c, block by block: one thread's task.
void multiply_task(const Product& product, Range rows, Range cols) {
  const Index tile_cols = kernels().tile_cols;
  const bool in_order = rows.size() == 1 && product.transpose_b == Transpose::kNo;  // see micro_kernel_of_row
  const Index most_columns = product.in_pairs ? kColumnBlockOfPairs : in_order ? cols.size() : kColumnBlock;
  const Index column_block = ceil_divide(even_part(cols.size(), most_columns), tile_cols) * tile_cols;
  Index depth_block = even_part(product.k(), kDepthBlock);
  if (product.in_pairs) depth_block = 2 * pairs(depth_block);  // no pair is cut
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

// --- tasks ---

// The sizes of tasks, in multiply-adds. Smaller ones do not repay waking another thread. From the second
// size on, there are two tasks for each thread, so that the others can help one that is held up.
constexpr Index kTaskSize = 1 << 20;
constexpr Index kLargeTask = 1 << 30;

// A product with fewer rows than this takes as long as with this many: reading b takes longer than the
// arithmetic.
constexpr Index kMemoryBoundRows = 8;

// How many tasks a product is worth.
Index wanted_tasks(const Product& product) {
  const std::int64_t products_of_a_row = std::int64_t{product.n()} * product.k();
  const std::int64_t work = std::max(product.m(), kMemoryBoundRows) * products_of_a_row;
  const auto tasks = static_cast<Index>(std::min<std::int64_t>(threads(), work / kTaskSize));
  return product.m() * products_of_a_row / threads() >= kLargeTask ? 2 * tasks : tasks;
}

// The time that it takes to pack an element, in multiply-adds.
constexpr Index kPackingTime = 16;

// Cuts c into a grid of tasks along the borders of its tiles, and computes these on several threads. Of the
// grids with about the wanted number of tasks it takes the one whose busiest thread is done first.
void multiply(const Product& product) {
  const Index m = product.m(), n = product.n();
  if (m == 0 || n == 0) return;
  const Index wanted = std::max<Index>(1, wanted_tasks(product));
  Index rows = m, cols = n, least_time = std::numeric_limits<Index>::max();
  for (Index down = 1; down <= wanted; ++down) {
    const Index across = ceil_divide(wanted, down);
    const Index task_rows = ceil_divide(m, down * kernels().tile_rows) * kernels().tile_rows;
    const Index task_cols = ceil_divide(n, across * kernels().tile_cols) * kernels().tile_cols;

    // A task packs its columns of b. It packs its rows of a, too, or only reads them, which is cheap.
    const Index packed = task_cols + (product.transpose_a == Transpose::kYes ? task_rows : task_rows / 4);
    const Index time_of_task = task_rows * task_cols + kPackingTime * packed;  // for each step of the sum
    const Index tasks = ceil_divide(m, task_rows) * ceil_divide(n, task_cols);
    const Index time = ceil_divide(tasks, threads()) * time_of_task;
    if (time >= least_time) continue;
    least_time = time;
    rows = task_rows;
    cols = task_cols;
  }

  const Index across = ceil_divide(n, cols);
  parallel_for(ceil_divide(m, rows) * across, 1, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      const Index i = task / across * rows, j = task % across * cols;
      multiply_task(product, {i, std::min(i + rows, m)}, {j, std::min(j + cols, n)});
    }
  });
}

}  // namespace

MatrixView as_matrix(const Tensor& x) {
  return {x.data(), row_count(x), row_length(x), row_length(x)};
}

void multiply(MatrixView a, Transpose transpose_a, MatrixView b, Transpose transpose_b, Real* c,
              bool accumulate, const Real* bias) {
  const Index k = transpose_a == Transpose::kNo ? a.cols : a.rows;
  const Index b_rows = transpose_b == Transpose::kNo ? b.rows : b.cols;
  CHECK(b_rows == k, "op(a) has ", k, " columns, op(b) has ", b_rows, " rows");
  multiply({a, transpose_a, b, transpose_b, /*packed_b=*/nullptr, c, accumulate, bias,
            product_precision == Precision::kBf16});
}

// --- a right factor packed once ---

PreparedMatrix::PreparedMatrix(const Tensor& x, Transpose transpose)
    : kernel_set_(&kernels()), in_pairs_(product_precision == Precision::kBf16) {
  CHECK(x.rank() == 2, "x: expected [rows, cols], got ", x.shape().to_string());
  rows_ = x.dim(transpose == Transpose::kYes ? 1 : 0);
  cols_ = x.dim(transpose == Transpose::kYes ? 0 : 1);
  packed_ = Tensor({packed_right_size(as_matrix(x), transpose, in_pairs_)});

  // Each thread packs some of the micro-panels.
  const Index width = kernel_set_->tile_cols, depth = in_pairs_ ? pairs(rows_) : rows_;
  Real* packed = packed_.mutable_data();
  parallel_for(ceil_divide(cols_, width), fast::row_grain(rows_ * width), [&](Index begin, Index end) {
    const MatrixView part =
        part_of(as_matrix(x), transpose, {0, rows_}, {begin * width, std::min(end * width, cols_)});
    pack_right(part, transpose, packed + begin * width * depth, in_pairs_);
  });
}

Tensor PreparedMatrix::product(const Tensor& x, const Real* bias) const {
  CHECK(row_length(x) == rows_, x.shape().to_string(), " for weights of ", rows_, " rows");
  CHECK(kernel_set_ == &kernels(), "packed for the kernels ", kernel_set_->name, ", used with ",
        kernels().name);
  const Index depth = in_pairs_ ? pairs(rows_) : rows_, width = kernel_set_->tile_cols;
  const RightMicroPanels panels = {packed_.data(), depth, cols_, depth * width, width, in_pairs_};
  Tensor y(with_last(x.shape(), cols_));
  multiply({.a = as_matrix(x),
            .transpose_a = Transpose::kNo,
            .b = {nullptr, rows_, cols_, 0},  // only its size
            .transpose_b = Transpose::kNo,
            .packed_b = &panels,
            .c = y.mutable_data(),
            .accumulate = false,
            .bias = bias,
            .in_pairs = in_pairs_});
  return y;
}

}  // namespace plainformer
