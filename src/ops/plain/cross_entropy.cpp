#include "ops/cross_entropy.h"

#include <cmath>

#include "core/check.h"
#include "core/elements.h"
#include "ops/plain/plain.h"
#include "ops/rows.h"

namespace plainformer {

namespace {

void check_targets(const Tensor& x, std::span<const int> targets, double smoothing) {
  CHECK(std::ssize(targets) == row_count(x), targets.size(), " targets for ", x.shape().to_string());
  CHECK(smoothing >= 0 && smoothing < 1, "label smoothing ", smoothing);
  for (const int target : targets)
    CHECK(target == kNoTarget || (target >= 0 && target < x.dim(-1)), "target ", target, " of ", x.dim(-1));
}

// q_k of the smoothed target: smoothing / K for every class, and the rest for the target.
double smoothed_target(Index k, int target, double smoothing, Index classes) {
  return smoothing / static_cast<double>(classes) + (k == target ? 1 - smoothing : 0);
}

}  // namespace

CrossEntropy cross_entropy_forward(const Tensor& x, std::span<const int> targets, double smoothing) {
  check_targets(x, targets, smoothing);
  const Index rows = row_count(x), classes = x.dim(-1);
  const Tensor log_sums = plain::log_sum_exp(x);  // [rows]
  CrossEntropy total;
  for (Index row = 0; row < rows; ++row) {
    const int target = targets[row];
    if (target == kNoTarget) continue;

    // loss = - sum over the vocabulary of q_k log p_k, with log p_k = x_k - log(sum of exp)
    for (Index k = 0; k < classes; ++k) {
      const double log_p = static_cast<double>(x(row, k)) - static_cast<double>(log_sums(row));
      total.loss -= smoothed_target(k, target, smoothing, classes) * log_p;
      if (k == target) total.log_probability += log_p;
    }
    total.rows += 1;
  }
  return total;
}

// loss was: - sum over the vocabulary of q_k log p_k, with p = softmax(x). Every x_k changes every p_j. The
// sum of these effects is p_k - q_k.
Tensor cross_entropy_backward(Real grad_loss, const Tensor& x, std::span<const int> targets,
                              double smoothing) {
  check_targets(x, targets, smoothing);
  const Index rows = row_count(x), classes = x.dim(-1);
  const Tensor log_sums = plain::log_sum_exp(x);  // [rows]
  Tensor grad_input = Tensor::zeros(x.shape());
  Elements grad_x(grad_input);
  for (Index row = 0; row < rows; ++row) {
    if (targets[row] == kNoTarget) continue;
    for (Index k = 0; k < classes; ++k) {
      const Real p = std::exp(x(row, k) - log_sums(row));
      const auto q = static_cast<Real>(smoothed_target(k, targets[row], smoothing, classes));
      grad_x(row, k) = grad_loss * (p - q);
    }
  }
  return grad_input;
}

}  // namespace plainformer

namespace plainformer::plain {

CrossEntropy projected_cross_entropy_forward(const Tensor& x, const Parameter& table,
                                             std::span<const int> targets, double smoothing) {
  // Step 1. Project: logits = x table^T.  Step 2. Compare: loss = cross-entropy(logits, targets).
  return cross_entropy_forward(plainformer::linear_transposed_forward(x, table), targets, smoothing);
}

CrossEntropy projected_cross_entropy_forward_backward(Real grad_loss, const Tensor& x, Parameter& table,
                                                      std::span<const int> targets, double smoothing,
                                                      Tensor& grad_x) {
  // Step 1. Project: logits = x table^T.
  const Tensor logits = plainformer::linear_transposed_forward(x, table);

  // Step 2. Compare: loss = cross-entropy(logits, targets).
  const CrossEntropy loss = cross_entropy_forward(logits, targets, smoothing);

  // Step 2 was: loss = cross-entropy(logits, targets).
  const Tensor grad_logits = cross_entropy_backward(grad_loss, logits, targets, smoothing);

  // Step 1 was: logits = x table^T. Both factors get a gradient.
  grad_x = plainformer::linear_transposed_backward(grad_logits, x, table);
  return loss;
}

}  // namespace plainformer::plain
