#include "ops/cross_entropy.h"

#include <cmath>

#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/fast/fast.h"
#include "ops/linear.h"
#include "ops/reductions.h"
#include "ops/rows.h"
#include "ops/ways.h"

namespace plainformer {

void check_targets(Index rows, Index classes, std::span<const int> targets, double smoothing) {
  CHECK(classes > 0, "no classes");
  CHECK(std::ssize(targets) == rows, targets.size(), " targets for ", rows, " rows");
  CHECK(smoothing >= 0 && smoothing < 1, "label smoothing ", smoothing);
  for (const int target : targets)
    CHECK(target == kNoTarget || (target >= 0 && target < classes), "target ", target, " of ", classes);
}

namespace {

// q_k of the smoothed target: smoothing / K for every class, and the rest for the target.
double smoothed_target(Index k, int target, double smoothing, Index classes) {
  return smoothing / static_cast<double>(classes) + (k == target ? 1 - smoothing : 0);
}

}  // namespace

CrossEntropy cross_entropy_forward(const Tensor& x, std::span<const int> targets, double smoothing) {
  const Index rows = row_count(x), classes = x.dim(-1);
  check_targets(rows, classes, targets, smoothing);
  CrossEntropy total;
  for (Index row = 0; row < rows; ++row) {
    const int target = targets[row];
    if (target == kNoTarget) continue;

    // loss = - sum over the vocabulary of q_k log p_k, with log p_k = x_k - log(sum of exp)
    const auto log_sum = static_cast<double>(log_sum_exp_of_row(x, row));
    for (Index k = 0; k < classes; ++k) {
      const double log_p = static_cast<double>(x(row, k)) - log_sum;
      total.loss -= smoothed_target(k, target, smoothing, classes) * log_p;
      if (k == target) total.log_probability += log_p;
    }
    total.rows += 1;
  }
  return total;
}

// loss was: - sum over j of q_j log p_j, with log p_j = x_j - log(sum of exp). The logarithm of the sum
// changes by p_k for each x_k, and the q_j sum to 1, so
//   d loss / dx_k = - sum over j of q_j ([j = k] - p_k) = p_k - q_k
Tensor cross_entropy_backward(Real grad_loss, const Tensor& x, std::span<const int> targets,
                              double smoothing) {
  const Index rows = row_count(x), classes = x.dim(-1);
  check_targets(rows, classes, targets, smoothing);
  WritableTensor grad_x = Tensor::zeros(x.shape());
  for (Index row = 0; row < rows; ++row) {
    const int target = targets[row];
    if (target == kNoTarget) continue;

    const Real log_sum = log_sum_exp_of_row(x, row);
    for (Index k = 0; k < classes; ++k) {
      const Real p = std::exp(x(row, k) - log_sum);
      const auto q = static_cast<Real>(smoothed_target(k, target, smoothing, classes));
      grad_x(row, k) = grad_loss * (p - q);
    }
  }
  return grad_x;
}

namespace {

void check_projection(const Tensor& hidden, const Parameter& table, std::span<const int> targets,
                      double smoothing) {
  const Index classes = table.value.dim(0), d = hidden.dim(-1);
  CHECK_SHAPE(table.value, classes, d);
  check_targets(row_count(hidden), classes, targets, smoothing);
}

}  // namespace

CrossEntropy projected_cross_entropy_forward(const Tensor& hidden, const Parameter& table,
                                             std::span<const int> targets, double smoothing) {
  check_projection(hidden, table, targets, smoothing);
  if (ways.cross_entropy == Way::kFast)
    return fast::projected_cross_entropy_forward(hidden, table, targets, smoothing);

  // Step 1. Project: logits = hidden table^T.
  const Tensor logits = linear_transposed_forward(hidden, table);

  // Step 2. Compare: loss = cross-entropy(logits, targets).
  return cross_entropy_forward(logits, targets, smoothing);
}

CrossEntropy projected_cross_entropy_forward_backward(Real grad_loss, const Tensor& hidden, Parameter& table,
                                                      std::span<const int> targets, double smoothing,
                                                      Tensor& grad_hidden) {
  check_projection(hidden, table, targets, smoothing);
  if (ways.cross_entropy == Way::kFast)
    return fast::projected_cross_entropy_forward_backward(grad_loss, hidden, table, targets, smoothing,
                                                          grad_hidden);

  // Step 1. Project: logits = hidden table^T.
  const Tensor logits = linear_transposed_forward(hidden, table);

  // Step 2. Compare: loss = cross-entropy(logits, targets).
  const CrossEntropy loss = cross_entropy_forward(logits, targets, smoothing);

  // Step 2 was: loss = cross-entropy(logits, targets).
  const Tensor grad_logits = cross_entropy_backward(grad_loss, logits, targets, smoothing);

  // Step 1 was: logits = hidden table^T. Both factors get a gradient.
  grad_hidden = linear_transposed_backward(grad_logits, hidden, table);
  return loss;
}

}  // namespace plainformer
