#include "ops/ragged_softmax_matmul.h"

#include <algorithm>

#include "core/thread_pool.h"
#include "ops/panels.h"

namespace plainformer {

namespace {

// In place, by way of `gathered`, which has room for n.
void softmax_over_visible(VisibleColumns visible, Index n, Real* row, Real* gathered) {
  const Index count = std::ssize(visible);
  CHECK(count == 0 || (count <= n && visible.front() >= 0 && visible.back() < n), count, " visible columns, ",
        visible.front(), " to ", visible.back(), ", of ", n);
  if (count == n) return kernels().softmax(n, row, row);

  // Gather the visible ones side by side, in order; scatter them back among zeros.
  for (Index i = 0; i < count; ++i) gathered[i] = row[visible[i]];
  kernels().softmax(count, gathered, gathered);
  std::fill_n(row, n, Real{0});
  for (Index i = 0; i < count; ++i) row[visible[i]] = gathered[i];
}

void multiply_softmax(const SoftmaxProduct& product) {
  const auto& [a, b, c, factor, visible, y, y_row_stride] = product;
  const Index m = a.rows, n = b.cols;
  CHECK(a.cols == b.rows && n == c.rows, "inner extents ", a.cols, " and ", b.rows, ", ", n, " and ", c.rows);
  CHECK(std::ssize(visible) == m, visible.size(), " lists of columns for ", m, " rows");
  Scratch scratch;
  Real* scores = scratch.take(m * n);
  Real* gathered = scratch.take(n);
  multiply_panels(strips_in_place(a), panels_in_place(b), scores, n, false);
  kernels().scale(m * n, factor, scores, scores);
  for (Index i = 0; i < m; ++i) softmax_over_visible(visible[i], n, scores + i * n, gathered);
  multiply_panels(strips_in_place({scores, m, n, n}), panels_in_place(c), y, y_row_stride, false);
}

// The fewest of these products that repay waking a thread: some 100,000 multiply-adds.
Index product_grain(std::span<const SoftmaxProduct> products) {
  Index work = 0;
  for (const SoftmaxProduct& product : products)
    work += product.a.rows * product.b.cols * (product.a.cols + product.c.cols);
  return std::max<Index>(1, 100'000 * std::ssize(products) / std::max<Index>(1, work));
}

}  // namespace

void ragged_softmax_matmul(std::span<const SoftmaxProduct> products) {
  parallel_for(std::ssize(products), product_grain(products), [&](Index begin, Index end) {
    for (const SoftmaxProduct& product : products.subspan(begin, end - begin)) multiply_softmax(product);
  });
}

}  // namespace plainformer
