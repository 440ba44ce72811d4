#include "ops/fast/matmul.h"

#include <algorithm>

#include "core/check.h"
#include "core/thread_pool.h"
#include "ops/fast/panels.h"
#include "ops/rows.h"

namespace plainformer {
namespace {

// Block sizes, in elements. A packed block of b stays in the second-level cache while all rows of a pass by;
// a strip of a stays in the first-level cache while it meets all panels of the block.
constexpr Index kDepthBlock = 512;
constexpr Index kColumnBlock = 512;

// The rows of a transposed a that are copied together: they share the second-level cache with the block of b.
constexpr Index kRowBlock = 112;

// For so many rows of c at most, b is read where it is: packing would cost more. If rows of b are whole pages
// apart, they compete for the same places of the caches, and fewer rows pay.
constexpr Index kRowsInPlace = 192, kRowsInPlacePages = 16;
constexpr Index kPage = 4096 / sizeof(Real);

// In multiply-adds: smaller tasks are not worth waking another thread for; of tasks as large as the second,
// each thread gets two, so that one that was held up leaves a share to the others.
constexpr Index kTaskSize = 1 << 20;
constexpr Index kLargeTask = 1 << 29;

// Fewer rows than this take as long: b has to be read, and what is multiplied meanwhile costs nothing.
constexpr Index kRowsThatReadingTakes = 8;

// One product, with both factors seen as op(a) [m, k] and op(b) [k, n].
struct Product {
  const Kernels& table;
  MatrixView a;
  Transpose transpose_a;
  MatrixView b;
  Transpose transpose_b;
  const Panels* panels_of_b;  // or none: all of b is packed already
  Real* c;
  Index c_row_stride;
  bool accumulate;
  const Epilogue* epilogue;

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
  return {x.data + rows.begin * x.row_stride + cols.begin, rows.size(), cols.size(), x.row_stride};
}

Panels part_of(const Panels& x, Range rows, Range cols) {
  Panels part = x.from_column(cols.begin).from_row(rows.begin);
  part.depth = rows.size();
  part.cols = cols.size();
  return part;
}

// Some rows and some depth of op(a). Where it lies, a row of a is read from end to end, which caches like.
// Down the columns, each element would be on another page: they are copied together first.
Strips strips_of_a(const Product& product, Range rows, Range depth, Scratch& scratch) {
  if (product.transpose_a == Transpose::kNo) return strips_in_place(part_of(product.a, rows, depth));
  return pack_transposed_strips(part_of(product.a, depth, rows), scratch);
}

bool worth_packing(const MatrixView& b, Index rows) {
  return rows > (b.row_stride % kPage == 0 ? kRowsInPlacePages : kRowsInPlace);
}

// Some depth and some columns of op(b), packed if it is not yet and many rows of a will pass by.
Panels panels_of_b(const Product& product, Range depth, Range cols, Index rows, Scratch& scratch) {
  if (product.panels_of_b) return part_of(*product.panels_of_b, depth, cols);
  if (product.transpose_b == Transpose::kYes)
    return pack_transposed(part_of(product.b, cols, depth), scratch);
  const MatrixView b = part_of(product.b, depth, cols);
  return worth_packing(b, rows) ? pack(b, scratch) : panels_in_place(b);
}

void multiply_block(const Product& product, Range rows, Range cols, Range depth, const Panels& b) {
  Scratch scratch;
  const Index at_c = rows.begin * product.c_row_stride + cols.begin;
  Epilogue epilogue;
  if (product.epilogue) {
    epilogue = *product.epilogue;
    if (epilogue.bias) epilogue.bias += cols.begin;
  }
  multiply_panels(strips_of_a(product, rows, depth, scratch), b, product.c + at_c, product.c_row_stride,
                  product.accumulate || depth.begin > 0,
                  product.epilogue && depth.end == product.k() ? &epilogue : nullptr);
}

// A rectangle of c: one thread's task.
void multiply_rectangle(const Product& product, Range rows, Range cols) {
  const Index tile_cols = product.table.tile_cols;
  const Index column_block = ceil_divide(even_part(cols.size(), kColumnBlock), tile_cols) * tile_cols;
  const Index depth_block = even_part(product.k(), kDepthBlock);
  const Index row_block =
      product.transpose_a == Transpose::kYes ? even_part(rows.size(), kRowBlock) : rows.size();
  for (Index j = cols.begin; j < cols.end; j += column_block)
    for (Index p = 0; p == 0 || p < product.k(); p += depth_block) {
      const Range block_cols = {j, std::min(j + column_block, cols.end)};
      const Range depth = {p, std::min(p + depth_block, product.k())};
      Scratch scratch;
      const Panels b = panels_of_b(product, depth, block_cols, rows.size(), scratch);
      for (Index i = rows.begin; i < rows.end; i += row_block)
        multiply_block(product, {i, std::min(i + row_block, rows.end)}, block_cols, depth, b);
    }
}

// Cuts c into a grid of tasks. Each cut down has b packed once more, each cut across has a copied once more,
// or only read, which is cheap: the cheaper cut comes first.
void multiply_in_parallel(const Product& product) {
  const Index m = product.m(), n = product.n();
  const Index tiles_down = ceil_divide(m, product.table.tile_rows);
  const Index tiles_across = ceil_divide(n, product.table.tile_cols);
  const Index work = std::max(m, kRowsThatReadingTakes) * n * product.k();
  const Index tasks = std::min<Index>(threads(), work / kTaskSize);
  const Index wanted = m * n * product.k() / threads() >= kLargeTask ? 2 * tasks : tasks;
  const Index a_cost = product.transpose_a == Transpose::kYes ? m : m / 4;
  Index down = 1, across = 1;
  while (down * across < wanted && (down < tiles_down || across < tiles_across)) {
    if (across == tiles_across || (down < tiles_down && a_cost * across >= n * down))
      down = std::min(2 * down, tiles_down);
    else
      across = std::min(2 * across, tiles_across);
  }
  const Index rows = ceil_divide(tiles_down, down) * product.table.tile_rows;
  const Index cols = ceil_divide(tiles_across, across) * product.table.tile_cols;
  parallel_for(down * across, 1, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      const Index i = task / across * rows, j = task % across * cols;
      if (i < m && j < n) multiply_rectangle(product, {i, std::min(i + rows, m)}, {j, std::min(j + cols, n)});
    }
  });
}

}  // namespace

MatrixView as_matrix(const Tensor& x) {
  return {x.data(), row_count(x), row_length(x), row_length(x)};
}

void multiply(MatrixView a, Transpose transpose_a, MatrixView b, Transpose transpose_b, Real* c,
              Index c_row_stride, bool accumulate, const Epilogue* epilogue) {
  const Product product = {kernels(), a, transpose_a,  b,          transpose_b,
                           nullptr,   c, c_row_stride, accumulate, epilogue};
  const Index b_rows = transpose_b == Transpose::kNo ? b.rows : b.cols;
  CHECK(b_rows == product.k(), "op(a) has ", product.k(), " columns, op(b) has ", b_rows, " rows");
  multiply_in_parallel(product);
}

void multiply(MatrixView a, const Panels& b, Real* c, Index c_row_stride, const Epilogue* epilogue) {
  CHECK(a.cols == b.depth, "a has ", a.cols, " columns, b has ", b.depth, " rows");
  const MatrixView shape_of_b = {nullptr, b.depth, b.cols, 0};
  multiply_in_parallel(
      {kernels(), a, Transpose::kNo, shape_of_b, Transpose::kNo, &b, c, c_row_stride, false, epilogue});
}

}  // namespace plainformer
