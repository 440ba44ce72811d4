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

// Calls body(hidden's rows as a matrix, the logits of these rows, their targets, the first row) for each
// block.
template <typename Body>
void for_each_block(const Tensor& hidden, const Parameter& table, std::span<const int> targets,
                    const Body& body) {
  const Index rows = row_count(hidden), classes = table.value.dim(0);
  const Index most = rows_of_logits_block(classes);
  for (Index first = 0; first < rows; first += most) {
    const Index count = std::min(most, rows - first);
    const MatrixView hidden_block = rows_of(as_matrix(hidden), first, count);
    Tensor logits({count, classes});
    multiply(hidden_block, Transpose::kNo, as_matrix(table.value), Transpose::kYes, logits.mutable_data(),
             false);
    body(hidden_block, logits, targets.subspan(first, count), first);
  }
}

}  // namespace

Index rows_of_logits_block(Index classes) {
  return std::clamp(kMostLogits / classes, kFewestRows, kMostRows);
}

CrossEntropy projected_cross_entropy_forward(const Tensor& hidden, const Parameter& table,
                                             std::span<const int> targets, double smoothing) {
  CrossEntropy total;
  for_each_block(hidden, table, targets,
                 [&](const MatrixView&, const Tensor& logits, std::span<const int> block_targets, Index) {
                   total += loss_of_logits(logits, block_targets, smoothing);
                 });
  return total;
}

CrossEntropy projected_cross_entropy_forward_backward(Real grad_loss, const Tensor& hidden, Parameter& table,
                                                      std::span<const int> targets, double smoothing,
                                                      Tensor& grad_hidden) {
  const Index d = hidden.dim(-1);
  CrossEntropy total;
  Tensor grad(hidden.shape());  // grad_hidden may be hidden
  Real* grad_data = grad.mutable_data();
  Real* grad_table = table.mutable_grad().mutable_data();
  for_each_block(
      hidden, table, targets,
      [&](const MatrixView& hidden_block, Tensor& logits, std::span<const int> block_targets, Index first) {
        total += loss_and_gradient_of_logits(grad_loss, logits, block_targets, smoothing);
        // logits was: hidden table^T. Both factors get a gradient.
        const MatrixView grad_logits = as_matrix(logits);
        multiply(grad_logits, Transpose::kNo, as_matrix(table.value), Transpose::kNo, grad_data + first * d,
                 false);
        multiply(grad_logits, Transpose::kYes, hidden_block, Transpose::kNo, grad_table, true);
      });
  grad_hidden = std::move(grad);
  return total;
}

}  // namespace plainformer::fast
