#include "ops/ragged_matmul.h"

#include <algorithm>

#include "core/thread_pool.h"

namespace plainformer {

namespace {

void multiply_unpacked(const Kernels& table, const SmallProduct& product) {
  const auto& [a, b, c, c_row_stride] = product;
  CHECK(a.cols == b.rows, "inner extents ", a.cols, " and ", b.rows);
  for (Index j = 0; j < b.cols; j += table.tile_cols) {
    for (Index i = 0; i < a.rows; i += table.tile_rows) {
      table.multiply_tile({.rows = std::min(table.tile_rows, a.rows - i),
                           .cols = std::min(table.tile_cols, b.cols - j),
                           .depth = a.cols,
                           .a = a.data + i * a.row_stride,
                           .a_row_stride = a.row_stride,
                           .a_depth_stride = 1,
                           .b = b.data + j,
                           .b_row_stride = b.row_stride,
                           .c = c + i * c_row_stride + j,
                           .c_row_stride = c_row_stride,
                           .accumulate = false,
                           .epilogue = nullptr});
    }
  }
}

// The fewest products of about that size that repay waking a thread: some 100,000 multiply-adds.
Index product_grain(const SmallProduct& product) {
  const Index work = product.a.rows * product.a.cols * product.b.cols;
  return std::max<Index>(1, 100'000 / std::max<Index>(1, work));
}

}  // namespace

void ragged_matmul(std::span<const SmallProduct> products) {
  if (products.empty()) return;
  const Kernels& table = kernels();
  parallel_for(std::ssize(products), product_grain(products.front()), [&](Index begin, Index end) {
    for (const SmallProduct& product : products.subspan(begin, end - begin))
      multiply_unpacked(table, product);
  });
}

}  // namespace plainformer
