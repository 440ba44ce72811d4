#include "training/r_drop.h"

#include <cmath>
#include <vector>

#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/linear.h"
#include "ops/reductions.h"
#include "ops/rows.h"
#include "ops/ways.h"

namespace plainformer {

namespace {

// Adds the gradient of the divergences. A token's was: KL(p || q) + KL(q || p), with p = softmax(x), and q
// that of the other pass.
//   d KL(p || q) / dx_k = p_k (log(p_k / q_k) - KL(p || q)),    d KL(q || p) / dx_k = p_k - q_k
Tensor add_divergence_backward(Real grad_divergence, const Tensor& x, std::span<const int> targets,
                               Tensor grad_input) {
  const Index tokens = std::ssize(targets), classes = x.dim(-1);
  WritableTensor grad_x = std::move(grad_input);
  for (Index row = 0; row < 2 * tokens; ++row) {
    if (targets[row % tokens] == kNoTarget) continue;
    const Index other = (row + tokens) % (2 * tokens);
    const Real log_sum = log_sum_exp_of_row(x, row), other_log_sum = log_sum_exp_of_row(x, other);
    const auto log_p = [&](Index k) { return x(row, k) - log_sum; };
    const auto log_q = [&](Index k) { return x(other, k) - other_log_sum; };

    Real kl = 0;
    for (Index k = 0; k < classes; ++k) kl += std::exp(log_p(k)) * (log_p(k) - log_q(k));
    for (Index k = 0; k < classes; ++k) {
      const Real p = std::exp(log_p(k)), q = std::exp(log_q(k));
      grad_x(row, k) += grad_divergence * (p * (log_p(k) - log_q(k) - kl) + p - q);
    }
  }
  return grad_x;
}

}  // namespace

TokenBatch twice(const TokenBatch& tokens) {
  TokenBatch both = tokens;
  both.batch *= 2;
  both.ids.insert(both.ids.end(), tokens.ids.begin(), tokens.ids.end());
  both.lengths.insert(both.lengths.end(), tokens.lengths.begin(), tokens.lengths.end());
  return both;
}

CrossEntropy r_drop_forward_backward(Real grad_loss, const RDropOptions& options, const Tensor& x,
                                     Parameter& table, std::span<const int> targets, Tensor& grad_x) {
  const Index classes = table.value.dim(0), d = x.dim(-1);
  CHECK(options.alpha >= 0, "alpha ", options.alpha);
  CHECK_SHAPE(table.value, classes, d);
  CHECK(row_count(x) == 2 * std::ssize(targets), targets.size(), " targets for two passes over ",
        x.shape().to_string());
  check_targets(std::ssize(targets), classes, targets, options.smoothing);
  if (ways.cross_entropy == Way::kFast)
    return fast::r_drop_forward_backward(grad_loss, options, x, table, targets, grad_x);

  std::vector<int> targets_of_both(targets.begin(), targets.end());
  targets_of_both.insert(targets_of_both.end(), targets.begin(), targets.end());

  // Step 1. Project: logits = x table^T.
  const Tensor logits = linear_transposed_forward(x, table);

  // Step 2. Compare the passes with each other: alpha/4 (KL(p || q) + KL(q || p)). Its value is not reported.

  // Step 3. Compare each pass with the targets: (loss(p) + loss(q)) / 2.
  const CrossEntropy both = cross_entropy_forward(logits, targets_of_both, options.smoothing);

  // Step 3 was: (loss(p) + loss(q)) / 2.
  const Tensor grad_targets =
      cross_entropy_backward(grad_loss / 2, logits, targets_of_both, options.smoothing);

  // Step 2 was: alpha/4 (KL(p || q) + KL(q || p)).
  const Tensor grad_logits = add_divergence_backward(grad_loss * static_cast<Real>(options.alpha / 4), logits,
                                                     targets, grad_targets);

  // Step 1 was: logits = x table^T. Both factors get a gradient.
  grad_x = linear_transposed_backward(grad_logits, x, table);
  return {.loss = both.loss / 2, .log_probability = both.log_probability / 2, .rows = both.rows / 2};
}

}  // namespace plainformer
