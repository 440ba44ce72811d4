#include "ops/matmul.h"

#include <algorithm>

#include "core/check.h"
#include "core/scratch.h"
#include "core/thread_pool.h"

namespace plainformer {
namespace {

// Block sizes, in elements. A packed block of b stays in the second-level cache while all rows of a pass by;
// a panel of a stays in the first-level cache while it meets all panels of the block.
constexpr Index kDepthBlock = 384;
constexpr Index kColumnBlock = 768;

// For fewer rows of c than that, packing b costs more than reading it where it is.
constexpr Index kRowsWorthPacking = 64;

// Smaller products are not worth waking another thread for; in multiply-adds.
constexpr Index kTaskSize = 1 << 20;
constexpr Index kTasksPerThread = 2;

// One product, with both factors seen as op(a) [m, k] and op(b) [k, n].
struct Product {
  const Kernels& table;
  MatrixView a;
  Transpose transpose_a;
  MatrixView b;
  Transpose transpose_b;
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

Index ceil_divide(Index x, Index y) {
  return (x + y - 1) / y;
}

// The size of the equal parts, at most `largest` each, into which `size` is cut.
Index even_part(Index size, Index largest) {
  return size == 0 ? 1 : ceil_divide(size, ceil_divide(size, largest));
}

// A few rows and some depth of op(a): element (i, p) at data[i * row_stride + p * depth_stride].
struct PanelOfA {
  const Real* data;
  Index row_stride, depth_stride;
};

// Where it lies, a row of a is read from end to end, which caches like. Down the columns, each element would
// be on another page: those are copied together first.
PanelOfA panel_of_a(const Product& product, Range rows, Range depth, Scratch& scratch) {
  const MatrixView& a = product.a;
  if (product.transpose_a == Transpose::kNo)
    return {a.data + rows.begin * a.row_stride + depth.begin, a.row_stride, 1};
  Real* panel = scratch.take(depth.size() * rows.size());
  product.table.pack(rows.size(), depth.size(), a.data + depth.begin * a.row_stride + rows.begin,
                     a.row_stride, panel, rows.size());
  return {panel, 1, rows.size()};
}

// Columns and depth of op(b) as panels of tile_cols columns, one after the other: panel j at data + j *
// panel_stride, rows b_row_stride apart.
struct BlockOfB {
  const Real* data;
  Index panel_stride, row_stride;
};

BlockOfB block_of_b(const Product& product, Range cols, Range depth, bool in_place, Scratch& scratch) {
  const MatrixView& b = product.b;
  const Kernels& table = product.table;
  if (in_place) return {b.data + depth.begin * b.row_stride + cols.begin, table.tile_cols, b.row_stride};

  const Index panel_size = depth.size() * table.tile_cols;
  Real* block = scratch.take(ceil_divide(cols.size(), table.tile_cols) * panel_size);
  for (Index j = cols.begin; j < cols.end; j += table.tile_cols) {
    const Index width = std::min(table.tile_cols, cols.end - j);
    Real* panel = block + (j - cols.begin) / table.tile_cols * panel_size;
    if (product.transpose_b == Transpose::kNo)
      table.pack(width, depth.size(), b.data + depth.begin * b.row_stride + j, b.row_stride, panel,
                 table.tile_cols);
    else
      table.pack_transposed(width, depth.size(), b.data + j * b.row_stride + depth.begin, b.row_stride,
                            panel);
  }
  return {block, panel_size, table.tile_cols};
}

// A tile's height of rows times a block of b: the panel of a stays in the first-level cache meanwhile.
void multiply_rows(const Product& product, Range rows, Range cols, Range depth, const BlockOfB& block) {
  const Kernels& table = product.table;
  Scratch scratch;
  const PanelOfA panel = panel_of_a(product, rows, depth, scratch);
  const Epilogue* epilogue = depth.end == product.k() ? product.epilogue : nullptr;
  Epilogue here;
  Tile tile = {};
  tile.rows = rows.size();
  tile.depth = depth.size();
  tile.a = panel.data;
  tile.a_row_stride = panel.row_stride;
  tile.a_depth_stride = panel.depth_stride;
  tile.b_row_stride = block.row_stride;
  tile.c_row_stride = product.c_row_stride;
  tile.accumulate = product.accumulate || depth.begin > 0;
  tile.epilogue = epilogue ? &here : nullptr;
  for (Index j = cols.begin; j < cols.end; j += table.tile_cols) {
    tile.cols = std::min(table.tile_cols, cols.end - j);
    tile.b = block.data + (j - cols.begin) / table.tile_cols * block.panel_stride;
    tile.c = product.c + rows.begin * product.c_row_stride + j;
    if (epilogue) {
      here = *epilogue;
      if (here.bias) here.bias += j;
      if (here.addend) here.addend += rows.begin * product.c_row_stride + j;
    }
    table.multiply_tile(tile);
  }
}

// A rectangle of c: one thread's task.
void multiply_rectangle(const Product& product, Range rows, Range cols) {
  const Kernels& table = product.table;
  const bool b_in_place = product.transpose_b == Transpose::kNo && rows.size() <= kRowsWorthPacking;
  const Index column_block =
      ceil_divide(even_part(cols.size(), kColumnBlock), table.tile_cols) * table.tile_cols;
  const Index depth_block = even_part(product.k(), kDepthBlock);
  const Index tile_rows = even_part(rows.size(), table.tile_rows);
  for (Index j = cols.begin; j < cols.end; j += column_block)
    for (Index p = 0; p == 0 || p < product.k(); p += depth_block) {
      const Range depth = {p, std::min(p + depth_block, product.k())};
      const Range block_cols = {j, std::min(j + column_block, cols.end)};
      Scratch scratch;
      const BlockOfB block = block_of_b(product, block_cols, depth, b_in_place, scratch);
      for (Index i = rows.begin; i < rows.end; i += tile_rows)
        multiply_rows(product, {i, std::min(i + tile_rows, rows.end)}, block_cols, depth, block);
    }
}

// Cuts c into a grid of tasks, the longer side first, down to tasks that are still worth it.
void multiply_in_parallel(const Product& product) {
  const Index m = product.m(), n = product.n();
  const Index tiles_down = ceil_divide(m, product.table.tile_rows);
  const Index tiles_across = ceil_divide(n, product.table.tile_cols);
  const Index wanted =
      threads() == 1 ? 1 : std::min(kTasksPerThread * threads(), m * n * product.k() / kTaskSize);
  Index down = 1, across = 1;
  while (down * across < wanted && (down < tiles_down || across < tiles_across)) {
    if (across == tiles_across || (down < tiles_down && m * across >= n * down))
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

// All leading axes as rows.
MatrixView as_matrix(const Tensor& tensor) {
  const Index cols = tensor.dim(-1);
  return {tensor.data(), cols == 0 ? 0 : tensor.size() / cols, cols, cols};
}

Shape product_shape(const Tensor& a, Transpose transpose_a, Index m, Index n) {
  if (transpose_a == Transpose::kNo && a.rank() == 3) return {a.dim(0), a.dim(1), n};
  if (transpose_a == Transpose::kNo && a.rank() == 4) return {a.dim(0), a.dim(1), a.dim(2), n};
  return {m, n};
}

}  // namespace

void multiply(MatrixView a, Transpose transpose_a, MatrixView b, Transpose transpose_b, Real* c,
              Index c_row_stride, bool accumulate, const Epilogue* epilogue) {
  Epilogue without_addend;
  if (epilogue && epilogue->addend == c) {
    // An addend that is c itself must be read before the first partial sums overwrite it: the chains start
    // from it.
    CHECK(!accumulate, "an addend that is c itself already accumulates");
    without_addend = *epilogue;
    without_addend.addend = nullptr;
    epilogue = &without_addend;
    accumulate = true;
  }
  const Product product = {kernels(), a, transpose_a, b, transpose_b, c, c_row_stride, accumulate, epilogue};
  const Index b_rows = transpose_b == Transpose::kNo ? b.rows : b.cols;
  CHECK(b_rows == product.k(), "op(a) has ", product.k(), " columns, op(b) has ", b_rows, " rows");
  multiply_in_parallel(product);
}

Tensor matmul(const Tensor& a, Transpose transpose_a, const Tensor& b, Transpose transpose_b) {
  CHECK(b.rank() == 2, "b: expected [rows, cols], got ", b.shape().to_string());
  const MatrixView a_view = as_matrix(a), b_view = as_matrix(b);
  const Index m = transpose_a == Transpose::kNo ? a_view.rows : a_view.cols;
  const Index n = transpose_b == Transpose::kNo ? b_view.cols : b_view.rows;
  Tensor c(product_shape(a, transpose_a, m, n));
  multiply(a_view, transpose_a, b_view, transpose_b, c.mutable_data(), n, false);
  return c;
}

void matmul_accumulate(const Tensor& a, Transpose transpose_a, const Tensor& b, Transpose transpose_b,
                       Tensor& c) {
  const MatrixView a_view = as_matrix(a), b_view = as_matrix(b);
  const Index rows = transpose_a == Transpose::kNo ? a_view.rows : a_view.cols;
  const Index cols = transpose_b == Transpose::kNo ? b_view.cols : b_view.rows;
  CHECK_SHAPE(c, rows, cols);
  multiply(a_view, transpose_a, b_view, transpose_b, c.mutable_data(), cols, true);
}

}  // namespace plainformer
