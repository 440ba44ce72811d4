#include "ops/cross_entropy.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/fast/fast.h"
#include "ops/fast/matmul.h"
#include "ops/rows.h"

namespace plainformer::fast {

namespace {

// --- one block of rows, whose logits are known

CrossEntropy loss_of_logits(const Tensor& x, std::span<const int> targets, double smoothing) {
  const Index rows = row_count(x), classes = x.dim(-1);
  std::vector<CrossEntropy> losses(rows);
  parallel_for(rows, row_grain(classes), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      if (targets[row] == kNoTarget) continue;
      const Real* x_row = x.data() + row * classes;
      const double log_sum = log_sum_exp_of(classes, kernels().largest(classes, x_row), x_row);
      losses[row] = row_loss(classes, x_row, targets[row], smoothing, log_sum);
    }
  });
  return sum_of(losses);
}

// The loss, and the gradient in the place of the logits, with one exp for each logit.
CrossEntropy loss_and_gradient_of_logits(Real grad_loss, Tensor& x, std::span<const int> targets,
                                         double smoothing) {
  const Index rows = row_count(x), classes = x.dim(-1);
  const Real everywhere = grad_loss * static_cast<Real>(smoothing / static_cast<double>(classes));
  const Real on_target = grad_loss * static_cast<Real>(1 - smoothing);
  std::vector<CrossEntropy> losses(rows);
  Real* data = x.mutable_data();
  parallel_for(rows, row_grain(classes), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      Real* x_row = data + row * classes;
      const int target = targets[row];
      if (target == kNoTarget) {
        std::fill_n(x_row, classes, Real{0});
        continue;
      }
      const Real largest = kernels().largest(classes, x_row);
      losses[row] = row_loss(classes, x_row, target, smoothing, 0);
      const double exp_sum = kernels().exp_sum(classes, largest, x_row, x_row);
      const double log_sum = static_cast<double>(largest) + std::log(exp_sum);
      losses[row].loss += log_sum;
      losses[row].log_probability -= log_sum;
      // p - q = exp(x - largest) / sum - smoothing / K - (1 - smoothing) one_hot(target)
      kernels().scale_and_shift(classes, grad_loss / static_cast<Real>(exp_sum), -everywhere, x_row, x_row);
      x_row[target] -= on_target;
    }
  });
  return sum_of(losses);
}

// --- all rows, block by block

// Many rows, so that packing the table costs little compared with the product; but no more than 64 MB of
// logits at a time, unless kFewestRows rows take more.
constexpr Index kMostRows = 2048, kFewestRows = 256, kMostLogits = 1 << 24;

}  // namespace

Index rows_of_logits_block(Index classes) {
  return std::clamp(kMostLogits / classes, kFewestRows, kMostRows);
}

namespace {

// Calls body(x's rows as a matrix, the logits of these rows, their targets, the first row) for each block.
template <typename Body>
void for_each_block(const Tensor& x, const Parameter& table, std::span<const int> targets, const Body& body) {
  const Index rows = row_count(x), d = x.dim(-1), classes = table.value.dim(0);
  const Index most = rows_of_logits_block(classes);
  for (Index first = 0; first < rows; first += most) {
    const Index count = std::min(most, rows - first);
    const MatrixView x_block = {x.data() + first * d, count, d, d};
    Tensor logits({count, classes});
    multiply(x_block, Transpose::kNo, as_matrix(table.value), Transpose::kYes, logits.mutable_data(), classes,
             false);
    body(x_block, logits, targets.subspan(first, count), first);
  }
}

}  // namespace

CrossEntropy projected_cross_entropy_forward(const Tensor& x, const Parameter& table,
                                             std::span<const int> targets, double smoothing) {
  CrossEntropy total;
  for_each_block(x, table, targets,
                 [&](const MatrixView&, const Tensor& logits, std::span<const int> block_targets, Index) {
                   total += loss_of_logits(logits, block_targets, smoothing);
                 });
  return total;
}

CrossEntropy projected_cross_entropy_forward_backward(Real grad_loss, const Tensor& x, Parameter& table,
                                                      std::span<const int> targets, double smoothing,
                                                      Tensor& grad_x) {
  const Index d = x.dim(-1), classes = table.value.dim(0);
  CrossEntropy total;
  Tensor grad_input(x.shape());  // grad_x may be x
  Real* grad_x_data = grad_input.mutable_data();
  Real* grad_table = table.mutable_grad().mutable_data();
  for_each_block(
      x, table, targets,
      [&](const MatrixView& x_block, Tensor& logits, std::span<const int> block_targets, Index first) {
        total += loss_and_gradient_of_logits(grad_loss, logits, block_targets, smoothing);
        // logits was: x table^T. Both factors get a share.
        const MatrixView grad_logits = {logits.data(), x_block.rows, classes, classes};
        multiply(grad_logits, Transpose::kNo, as_matrix(table.value), Transpose::kNo, grad_x_data + first * d,
                 d, false);
        multiply(grad_logits, Transpose::kYes, x_block, Transpose::kNo, grad_table, d, true);
      });
  grad_x = std::move(grad_input);
  return total;
}

}  // namespace plainformer::fast
