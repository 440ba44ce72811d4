#include "ops/projected_cross_entropy.h"

#include <algorithm>

#include "ops/matmul.h"
#include "ops/rows.h"

namespace plainformer {

namespace {

// Many rows, so that packing the table for a product costs little beside the product; but no more than 64 MB
// of logits at a time, unless the fewest rows of so many classes take more.
constexpr Index kMostRows = 2048, kFewestRows = 256, kMostLogits = 1 << 24;

Index rows_of_block(Index classes) {
  return std::clamp(kMostLogits / classes, kFewestRows, kMostRows);
}

// Calls body(x's rows as a matrix, the logits of these rows, their targets, the first row) for each block.
template <typename Body>
void for_each_block(const Tensor& x, const Parameter& table, std::span<const int> targets, const Body& body) {
  const Index rows = row_count(x), d = x.dim(-1), classes = table.value.dim(0);
  CHECK_SHAPE(table.value, classes, d);
  CHECK(classes > 0, "no classes");
  CHECK(std::ssize(targets) == rows, targets.size(), " targets for ", x.shape().to_string());
  const Index most = rows_of_block(classes);
  for (Index first = 0; first < rows; first += most) {
    const Index count = std::min(most, rows - first);
    const MatrixView x_block = {x.data() + first * d, count, d, d};
    Tensor logits({count, classes});
    multiply(x_block, Transpose::kNo, {table.value.data(), classes, d, d}, Transpose::kYes,
             logits.mutable_data(), classes, false);
    body(x_block, std::move(logits), targets.subspan(first, count), first);
  }
}

void add_to(CrossEntropy& total, const CrossEntropy& block) {
  total.loss += block.loss;
  total.log_probability += block.log_probability;
  total.rows += block.rows;
}

}  // namespace

CrossEntropy projected_cross_entropy_forward(const Tensor& x, const Parameter& table,
                                             std::span<const int> targets, double smoothing) {
  CrossEntropy total;
  for_each_block(x, table, targets,
                 [&](const MatrixView&, const Tensor& logits, std::span<const int> block_targets, Index) {
                   add_to(total, cross_entropy_forward(logits, block_targets, smoothing));
                 });
  return total;
}

CrossEntropy projected_cross_entropy_forward_backward(Real grad_loss, const Tensor& x, Parameter& table,
                                                      std::span<const int> targets, double smoothing,
                                                      Tensor& grad_x) {
  const Index d = x.dim(-1), classes = table.value.dim(0);
  CrossEntropy total;
  grad_x = Tensor(x.shape());
  Real* grad_x_data = grad_x.mutable_data();
  Real* grad_table = table.grad.mutable_data();
  for_each_block(
      x, table, targets,
      [&](const MatrixView& x_block, Tensor logits, std::span<const int> block_targets, Index first) {
        Tensor grad_logits;
        add_to(total, cross_entropy_forward_backward(grad_loss, std::move(logits), block_targets, smoothing,
                                                     grad_logits));
        // logits was: x table^T. Both factors get a share.
        const MatrixView grad = {grad_logits.data(), x_block.rows, classes, classes};
        multiply(grad, Transpose::kNo, {table.value.data(), classes, d, d}, Transpose::kNo,
                 grad_x_data + first * d, d, false);
        multiply(grad, Transpose::kYes, x_block, Transpose::kNo, grad_table, d, true);
      });
  return total;
}

}  // namespace plainformer
