#include "ops/fast/cached_attention.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/check.h"
#include "core/thread_pool.h"
#include "ops/fast/macro_kernel.h"

namespace plainformer {

namespace {

// One head of one group.
struct Head {
  MatrixView query;                           // [rows, d_k]
  MatrixView key;                             // [d_k, positions]
  MatrixView value;                           // [positions, d_v]
  std::span<const VisiblePositions> visible;  // [rows]
  Real* output;                               // [rows, d_v]
  Index output_stride;
};

MatrixView rows_of(MatrixView matrix, Index first, Index count) {
  return {matrix.data + first * matrix.row_stride, count, matrix.cols, matrix.row_stride};
}

MatrixView columns_of(MatrixView matrix, Index first, Index count) {
  return {matrix.data + first, matrix.rows, count, matrix.row_stride};
}

void check_groups(std::span<const QueryGroup> groups, Index rows, Index d_model) {
  Index next_row = 0;
  for (const auto& [first_row, count, keys, values] : groups) {
    CHECK(first_row == next_row && count >= 0 && count <= rows - next_row, "a group of ", count,
          " rows begins at row ", first_row, ", not ", next_row, " of ", rows);
    CHECK(keys.rows == d_model && values.cols == d_model && keys.cols == values.rows, "keys [", keys.rows,
          ", ", keys.cols, "], values [", values.rows, ", ", values.cols, "], d_model ", d_model);
    next_row += count;
  }
  CHECK(next_row == rows, "groups of ", next_row, " rows for ", rows);
}

// Softmax in place. `gathered` has room for all positions.
void softmax_over_visible(VisiblePositions visible, Index positions, Real* row, Real* gathered) {
  const Index count = std::ssize(visible);
  CHECK(count == 0 || (count <= positions && visible.front() >= 0 && visible.back() < positions), count,
        " visible positions, ", visible.front(), " to ", visible.back(), ", of ", positions);
  if (count == positions) return kernels().softmax(positions, row, row);

  // Gather the visible ones side by side, in order. Scatter them back among zeros.
  for (Index i = 0; i < count; ++i) gathered[i] = row[visible[i]];
  kernels().softmax(count, gathered, gathered);
  std::fill_n(row, positions, Real{0});
  for (Index i = 0; i < count; ++i) row[visible[i]] = gathered[i];
}

void attend(const Head& head) {
  const Index rows = head.query.rows, d_k = head.query.cols, positions = head.key.cols;
  Scratch scratch;
  Real* scores = scratch.take(rows * positions);
  Real* gathered = scratch.take(positions);
  macro_kernel(left_in_place(head.query), right_in_place(head.key), scores, positions, false);
  kernels().scale(rows * positions, 1 / std::sqrt(static_cast<Real>(d_k)), scores, scores);
  for (Index i = 0; i < rows; ++i)
    softmax_over_visible(head.visible[i], positions, scores + i * positions, gathered);
  macro_kernel(left_in_place({scores, rows, positions, positions}), right_in_place(head.value), head.output,
               head.output_stride, false);
}

// The fewest heads that repay waking a thread, which takes as long as some 100,000 multiply-adds.
Index head_grain(const std::vector<Head>& heads) {
  Index work = 0;
  for (const Head& head : heads)
    work += head.query.rows * head.key.cols * (head.query.cols + head.value.cols);
  return std::max<Index>(1, 100'000 * std::ssize(heads) / std::max<Index>(1, work));
}

}  // namespace

Tensor cached_attention(const Tensor& query, std::span<const QueryGroup> groups,
                        std::span<const VisiblePositions> visible, Index heads) {
  const Index rows = std::ssize(visible), d_model = query.dim(2);
  CHECK_SHAPE(query, rows, 1, d_model);
  CHECK(heads > 0 && d_model % heads == 0, heads, " heads do not divide d_model ", d_model);
  check_groups(groups, rows, d_model);
  const Index d_k = d_model / heads;
  Tensor concat({rows, 1, d_model});
  Real* output = concat.mutable_data();
  std::vector<Head> tasks;
  for (const QueryGroup& group : groups) {
    const MatrixView group_query =
        rows_of({query.data(), rows, d_model, d_model}, group.first_row, group.rows);
    for (Index head = 0; head < heads; ++head) {
      const Index column = head * d_k;
      tasks.push_back({.query = columns_of(group_query, column, d_k),
                       .key = rows_of(group.keys, column, d_k),
                       .value = columns_of(group.values, column, d_k),
                       .visible = visible.subspan(group.first_row, group.rows),
                       .output = output + group.first_row * d_model + column,
                       .output_stride = d_model});
    }
  }
  parallel_for(std::ssize(tasks), head_grain(tasks), [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) attend(tasks[task]);
  });
  return concat;
}

}  // namespace plainformer
