#include "transformer/incremental_attention.h"

#include <cmath>

namespace plainformer {

namespace {

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

}  // namespace

Tensor incremental_attention(const Tensor& q, std::span<const QueryGroup> groups,
                             std::span<const VisiblePositions> visible, Index heads) {
  const Index rows = std::ssize(visible), d_model = q.dim(2);
  CHECK_SHAPE(q, rows, 1, d_model);
  CHECK(heads > 0 && d_model % heads == 0, heads, " heads do not divide d_model ", d_model);
  check_groups(groups, rows, d_model);
  const Index d_k = d_model / heads;
  const MatrixView queries = {q.data(), rows, d_model, d_model};
  Tensor concat({rows, 1, d_model});
  Real* concat_data = concat.mutable_data();

  // Equation (1) for each sentence and head, of all its queries with all its positions:
  // head = softmax(q k^T / sqrt(d_k)) v, each row over what its query sees, written to its columns of concat.
  std::vector<SoftmaxProduct> products;
  for (const QueryGroup& group : groups) {
    const MatrixView group_queries = rows_of(queries, group.first_row, group.rows);
    for (Index head = 0; head < heads; ++head) {
      products.push_back({.a = columns_of(group_queries, head * d_k, d_k),
                          .b = rows_of(group.keys, head * d_k, d_k),
                          .c = columns_of(group.values, head * d_k, d_k),
                          .factor = 1 / std::sqrt(static_cast<Real>(d_k)),
                          .visible = visible.subspan(group.first_row, group.rows),
                          .y = concat_data + group.first_row * d_model + head * d_k,
                          .y_row_stride = d_model});
    }
  }
  ragged_softmax_matmul(products);
  return concat;
}

}  // namespace plainformer
