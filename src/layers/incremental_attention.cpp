#include "layers/incremental_attention.h"

#include <algorithm>
#include <cmath>

#include "ops/elementwise.h"
#include "ops/ragged_matmul.h"
#include "ops/softmax.h"

namespace plainformer {

namespace {

MatrixView rows_of(MatrixView matrix, Index first, Index count) {
  return {matrix.data + first * matrix.row_stride, count, matrix.cols, matrix.row_stride};
}

MatrixView columns_of(MatrixView matrix, Index first, Index count) {
  return {matrix.data + first, matrix.rows, count, matrix.row_stride};
}

// One matrix [rows, positions] for each group and head, one behind the other: the scores, then the weights.
class RaggedScores {
 public:
  RaggedScores(std::span<const QueryGroup> groups, Index heads) : heads_(heads) {
    for (const QueryGroup& group : groups) {
      begin_.push_back(size_);
      size_ += heads * group.rows * group.values.rows;
    }
  }

  Index size() const { return size_; }
  Index offset(const QueryGroup& group, Index number, Index head, Index row_of_group) const {
    return begin_[number] + (head * group.rows + row_of_group) * group.values.rows;
  }
  Index heads() const { return heads_; }

 private:
  Index heads_, size_ = 0;
  std::vector<Index> begin_;
};

// Calls visit(positions, offset of the row of scores, row of the table [rows, heads]) for each query and
// head.
template <typename Visit>
void for_each_row(std::span<const QueryGroup> groups, std::span<const VisiblePositions> visible,
                  const RaggedScores& layout, Visit&& visit) {
  for (Index g = 0; g < std::ssize(groups); ++g) {
    for (Index head = 0; head < layout.heads(); ++head) {
      for (Index i = 0; i < groups[g].rows; ++i) {
        const Index row = groups[g].first_row + i;
        visit(visible[row], layout.offset(groups[g], g, head, i), row * layout.heads() + head);
      }
    }
  }
}

// weights = softmax(scores) over each query's visible positions, 0 for the others of its group.
Tensor softmax_over_visible(const Tensor& scores, std::span<const QueryGroup> groups,
                            std::span<const VisiblePositions> visible, const RaggedScores& layout) {
  Index longest = 0;
  for (const VisiblePositions& positions : visible) longest = std::max(longest, std::ssize(positions));

  // Gather the visible ones side by side, in order.
  Tensor gathered({std::ssize(visible) * layout.heads(), longest});
  std::vector<Index> counts(std::ssize(visible) * layout.heads());
  Real* rows = gathered.mutable_data();
  for_each_row(groups, visible, layout, [&](VisiblePositions positions, Index offset, Index row) {
    counts[row] = std::ssize(positions);
    for (Index i = 0; i < counts[row]; ++i) rows[row * longest + i] = scores.data()[offset + positions[i]];
  });

  gathered = softmax_forward(std::move(gathered), counts);

  // Scatter them back among zeros.
  Tensor weights = Tensor::zeros({layout.size()});
  Real* to = weights.mutable_data();
  for_each_row(groups, visible, layout, [&](VisiblePositions positions, Index offset, Index row) {
    for (Index i = 0; i < counts[row]; ++i) to[offset + positions[i]] = gathered.data()[row * longest + i];
  });
  return weights;
}

}  // namespace

Tensor incremental_attention(const Tensor& q, std::span<const QueryGroup> groups,
                             std::span<const VisiblePositions> visible, Index heads) {
  const Index rows = std::ssize(visible), d_model = q.dim(2), d_k = d_model / heads;
  CHECK_SHAPE(q, rows, 1, d_model);
  const MatrixView queries = {q.data(), rows, d_model, d_model};
  const RaggedScores layout(groups, heads);
  Tensor scores({layout.size()}), concat({rows, 1, d_model});
  std::vector<SmallProduct> products;

  // Step 1. MatMul: scores = q k^T, for each sentence and head, of all its queries with all its positions.
  Real* scores_data = scores.mutable_data();
  for (Index g = 0; g < std::ssize(groups); ++g) {
    const MatrixView group_queries = rows_of(queries, groups[g].first_row, groups[g].rows);
    for (Index head = 0; head < heads; ++head) {
      products.push_back({.a = columns_of(group_queries, head * d_k, d_k),
                          .b = rows_of(groups[g].keys, head * d_k, d_k),
                          .c = scores_data + layout.offset(groups[g], g, head, 0),
                          .c_row_stride = groups[g].values.rows});
    }
  }
  ragged_matmul(products);

  // Step 2. Scale: scores = scores / sqrt(d_k).
  scores = scale(std::move(scores), 1 / std::sqrt(static_cast<Real>(d_k)));

  // Steps 3 and 4. Mask and SoftMax: weights = softmax(scores), each row over what its query sees.
  const Tensor weights = softmax_over_visible(scores, groups, visible, layout);

  // Step 5. MatMul: head = weights v, written to its columns of concat.
  products.clear();
  Real* concat_data = concat.mutable_data();
  for (Index g = 0; g < std::ssize(groups); ++g) {
    const Index positions = groups[g].values.rows;
    for (Index head = 0; head < heads; ++head) {
      products.push_back(
          {.a = {weights.data() + layout.offset(groups[g], g, head, 0), groups[g].rows, positions, positions},
           .b = columns_of(groups[g].values, head * d_k, d_k),
           .c = concat_data + groups[g].first_row * d_model + head * d_k,
           .c_row_stride = d_model});
    }
  }
  ragged_matmul(products);
  return concat;
}

}  // namespace plainformer
