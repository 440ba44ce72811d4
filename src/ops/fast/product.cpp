#include "ops/fast/product.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/multiply_adds.h"
#include "core/thread_pool.h"
#include "ops/rows.h"

namespace plainformer {

namespace {

// In multiply-adds. Smaller tasks do not repay waking another thread. From the second size on, there are two
// tasks for each thread, so that the others can help one that is held up.
constexpr Index kTaskSize = 1 << 20;
constexpr Index kLargeTask = 1 << 30;

// A product with fewer rows than this takes as long as with this many: reading b takes longer than the
// arithmetic.
constexpr Index kMemoryBoundRows = 8;

// How many tasks a product is worth.
Index wanted_tasks(const ProductSize& size) {
  const std::int64_t products_of_a_row = std::int64_t{size.n} * size.k;
  const std::int64_t work = std::max(size.m, kMemoryBoundRows) * products_of_a_row;
  const auto tasks = static_cast<Index>(std::min<std::int64_t>(threads(), work / kTaskSize));
  return size.m * products_of_a_row / threads() >= kLargeTask ? 2 * tasks : tasks;
}

}  // namespace

MatrixView part_of(const MatrixView& x, Transpose transpose, Range rows, Range cols) {
  if (transpose == Transpose::kYes) std::swap(rows, cols);
  return {x.data + rows.begin * x.row_stride + cols.begin, rows.size(), cols.size(), x.row_stride};
}

void multiply_in_tasks(const ProductSize& size, bool a_is_copied,
                       const std::function<void(Range rows, Range cols)>& multiply_task) {
  const Index m = size.m, n = size.n;
  count_multiply_adds(std::int64_t{m} * n * size.k);

  // Twice as many tasks down pack b twice as often. Twice as many across copy a twice as often, or only read it,
  // which is cheap. The cheaper cut comes first.
  const Index tiles_down = ceil_divide(m, size.tile_rows), tiles_across = ceil_divide(n, size.tile_cols);
  const Index wanted = wanted_tasks(size), a_cost = a_is_copied ? m : m / 4;
  Index down = 1, across = 1;
  while (down * across < wanted && (down < tiles_down || across < tiles_across)) {
    if (across == tiles_across || (down < tiles_down && a_cost * across >= n * down))
      down = std::min(2 * down, tiles_down);
    else
      across = std::min(2 * across, tiles_across);
  }

  const Index rows = ceil_divide(tiles_down, down) * size.tile_rows;
  const Index cols = ceil_divide(tiles_across, across) * size.tile_cols;
  parallel_for(down * across, 1, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      const Index i = task / across * rows, j = task % across * cols;
      if (i < m && j < n) multiply_task({i, std::min(i + rows, m)}, {j, std::min(j + cols, n)});
    }
  });
}

}  // namespace plainformer
