#include "training/r_drop.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/check.h"
#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/fast/fast.h"
#include "ops/linear.h"
#include "ops/rows.h"

namespace plainformer {

namespace {

// One token in one pass.
struct Row {
  Real* x;  // [classes]: its logits
  Real log_sum;
  const Real* p;  // [classes]: softmax(x)
};

// KL(p || q) = sum over k of p_k (x_k - log_sum of p) - p_k (y_k - log_sum of q), where p sums to 1
Real divergence(Index classes, const Row& one, const Row& other) {
  return kernels().dot(classes, one.p, one.x) - kernels().dot(classes, one.p, other.x) - one.log_sum +
         other.log_sum;
}

struct LossFactors {
  Real cross_entropy, divergence;  // one for each pass, one for each divergence
  double smoothing;
};

// The logits of a token in both passes become their gradients:
//   d loss(p) / dx_k = p_k - target_k,  d KL(p || q) / dx_k = p_k (log(p_k / q_k) - KL(p || q)),
//   d KL(q || p) / dx_k = p_k - q_k
void logits_to_gradients(Index classes, const LossFactors& factors, const Row& one, const Row& other,
                         int target) {
  const Real a = factors.cross_entropy, b = factors.divergence;
  const Real kl_pq = divergence(classes, one, other), kl_qp = divergence(classes, other, one);
  const Real log_ratio_of_sums = other.log_sum - one.log_sum;
  const Real everywhere = static_cast<Real>(factors.smoothing / static_cast<double>(classes));
  for (Index k = 0; k < classes; ++k) {
    const Real p = one.p[k], q = other.p[k], log_ratio = one.x[k] - other.x[k] + log_ratio_of_sums;
    one.x[k] = a * (p - everywhere) + b * (p * (log_ratio - kl_pq) + p - q);
    other.x[k] = a * (q - everywhere) + b * (q * (-log_ratio - kl_qp) + q - p);
  }
  const Real on_target = a * static_cast<Real>(1 - factors.smoothing);
  one.x[target] -= on_target;
  other.x[target] -= on_target;
}

// A block of tokens. Their logits in both passes, [2 * tokens, classes], become their gradients.
CrossEntropy loss_and_gradient_of_logits(const LossFactors& factors, Tensor& both,
                                         std::span<const int> targets) {
  const Index tokens = std::ssize(targets), classes = both.dim(1);
  Real* const logits[] = {both.mutable_data(), both.mutable_data() + tokens * classes};
  std::vector<CrossEntropy> losses(tokens);
  parallel_for(tokens, fast::row_grain(4 * classes), [&](Index begin, Index end) {
    std::vector<Real> p(2 * classes);
    for (Index token = begin; token < end; ++token) {
      const int target = targets[token];
      if (target == kNoTarget) {
        for (Real* pass : logits) std::fill_n(pass + token * classes, classes, Real{0});
        continue;
      }
      Row rows[2];
      for (int pass = 0; pass < 2; ++pass) {
        Real *x = logits[pass] + token * classes, *p_of_pass = p.data() + pass * classes;
        const double log_sum = fast::log_sum_exp_of(classes, kernels().largest(classes, x), x);
        const CrossEntropy loss = fast::row_loss(classes, x, target, factors.smoothing, log_sum);
        losses[token].loss += loss.loss / 2;
        losses[token].log_probability += loss.log_probability / 2;
        losses[token].rows = 1;
        rows[pass] = {x, static_cast<Real>(log_sum), p_of_pass};
        kernels().exp_sum(classes, rows[pass].log_sum, x, p_of_pass);
      }
      logits_to_gradients(classes, factors, rows[0], rows[1], target);
    }
  });
  return fast::sum_of(losses);
}

}  // namespace

CrossEntropy r_drop_forward_backward(Real grad_loss, const RDropOptions& options, const Tensor& x,
                                     Parameter& table, std::span<const int> targets, Tensor& grad_x) {
  const Index tokens = std::ssize(targets), d = x.dim(-1), classes = table.value.dim(0);
  CHECK(options.alpha >= 0, "alpha ", options.alpha);
  CHECK_SHAPE(table.value, classes, d);
  CHECK(row_count(x) == 2 * tokens, tokens, " targets for two passes over ", x.shape().to_string());
  check_targets(tokens, classes, targets, options.smoothing);

  const Index most = std::max<Index>(1, fast::rows_of_logits_block(classes) / 2);
  const LossFactors factors = {.cross_entropy = grad_loss / 2,
                               .divergence = grad_loss * static_cast<Real>(options.alpha / 4),
                               .smoothing = options.smoothing};
  Tensor grad_input(x.shape());  // grad_x may be x
  Real* grad_x_data = grad_input.mutable_data();
  CrossEntropy total;
  for (Index first = 0; first < tokens; first += most) {
    const Index count = std::min(most, tokens - first), elements = count * d;
    const Index of_pass[] = {first * d, (tokens + first) * d};
    Tensor x_block({2 * count, d});  // these tokens in both passes
    for (int pass = 0; pass < 2; ++pass)
      std::copy_n(x.data() + of_pass[pass], elements, x_block.mutable_data() + pass * elements);

    // Step 1. Compute the logits: logits = x table^T.
    Tensor logits = linear_transposed_forward(x_block, table);  // [2 * count, classes]

    // Step 2. Compute the loss and the gradient of the logits, which takes their place.
    total += loss_and_gradient_of_logits(factors, logits, targets.subspan(first, count));

    // Step 1 was: logits = x table^T. Both factors get a gradient.
    const Tensor grad_block = linear_transposed_backward(logits, x_block, table);
    for (int pass = 0; pass < 2; ++pass)
      std::copy_n(grad_block.data() + pass * elements, elements, grad_x_data + of_pass[pass]);
  }
  grad_x = std::move(grad_input);
  return total;
}

}  // namespace plainformer
