#include "ops/fast/cached_attention.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/check.h"
#include "core/storage.h"
#include "core/thread_pool.h"
#include "ops/fast/macro_kernel.h"
#include "ops/fast/scaled_dot_product_attention.h"

namespace plainformer {

namespace {

void softmax_in_place(Index n, Real* x) {
  const double sum = kernels().exp_sum(n, kernels().largest(n, x), x, x);
  kernels().scale(n, static_cast<Real>(1 / sum), x, x);
}

// Softmax in place. `gathered` has room for all positions.
void softmax_over_visible(VisiblePositions visible, Index positions, Real* row, Real* gathered) {
  const Index count = std::ssize(visible);
  CHECK(count == 0 || (count <= positions && visible.front() >= 0 && visible.back() < positions), count,
        " visible positions, ", visible.front(), " to ", visible.back(), ", of ", positions);
  if (count == positions) return softmax_in_place(positions, row);

  // Gather the visible ones side by side, in order. Scatter them back among zeros.
  for (Index i = 0; i < count; ++i) gathered[i] = row[visible[i]];
  softmax_in_place(count, gathered);
  std::fill_n(row, positions, Real{0});
  for (Index i = 0; i < count; ++i) row[visible[i]] = gathered[i];
}

// One head of one group.
//   query [rows, d_k], key [d_k, positions], value [positions, d_v], visible [rows] -> output [rows, d_v]
void attend(MatrixView query, MatrixView key, MatrixView value, std::span<const VisiblePositions> visible,
            Real* output, Index output_stride) {
  const Index rows = query.rows, d_k = query.cols, positions = key.cols;
  Scratch scratch;
  Real* scores = scratch.take(rows * positions);
  Real* gathered = scratch.take(positions);
  macro_kernel(left_in_place(query), right_in_place(key), scores, positions, false);
  kernels().scale(rows * positions, 1 / std::sqrt(static_cast<Real>(d_k)), scores, scores);
  for (Index i = 0; i < rows; ++i)
    softmax_over_visible(visible[i], positions, scores + i * positions, gathered);
  macro_kernel(left_in_place({scores, rows, positions, positions}), right_in_place(value), output,
               output_stride, false);
}

}  // namespace

Tensor cached_attention(const Tensor& query, std::span<const QueryGroup> groups,
                        std::span<const VisiblePositions> visible, Index heads) {
  const Index rows = std::ssize(visible), key_width = query.dim(2);
  const Index value_width = groups.empty() ? key_width : groups.front().values.cols;
  CHECK_SHAPE(query, rows, 1, key_width);
  CHECK(heads > 0 && key_width % heads == 0 && value_width % heads == 0, heads, " heads do not divide ",
        key_width, " and ", value_width, " columns");
  const Index d_k = key_width / heads, d_v = value_width / heads;
  Tensor concat({rows, 1, value_width});
  Real* output = concat.mutable_data();
  std::int64_t products = 0;
  for (const QueryGroup& group : groups)
    products += std::int64_t{group.rows} * group.keys.cols * (key_width + value_width);
  const Index tasks = std::ssize(groups) * heads;
  parallel_for(tasks, fast::head_grain(products / std::max<Index>(1, tasks)), [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      const auto& [first_row, count, keys, values] = groups[task / heads];
      const Index head = task % heads;
      const MatrixView group_query = rows_of(as_matrix(query), first_row, count);
      attend(columns_of(group_query, head * d_k, d_k), rows_of(keys, head * d_k, d_k),
             columns_of(values, head * d_v, d_v), visible.subspan(first_row, count),
             output + first_row * value_width + head * d_v, value_width);
    }
  });
  return concat;
}

}  // namespace plainformer
