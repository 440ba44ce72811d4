#include "training/r_drop.h"

#include <algorithm>
#include <vector>

#include "core/check.h"
#include "ops/linear.h"
#include "ops/log_sum_exp.h"
#include "ops/softmax.h"

namespace plainformer {

namespace {

constexpr Index kBlockRows = 512;  // tokens whose logits exist at a time

TokenBatch twice(const TokenBatch& batch) {
  TokenBatch both = batch;
  both.batch *= 2;
  both.ids.insert(both.ids.end(), batch.ids.begin(), batch.ids.end());
  both.lengths.insert(both.lengths.end(), batch.lengths.begin(), batch.lengths.end());
  return both;
}

// One token in one pass.
struct Token {
  Index vocab;
  Real* x;        // [vocab]: its logits, which become their gradient
  const Real* p;  // [vocab]: softmax(x)
  Real log_sum;

  Real log_p(Index k) const { return x[k] - log_sum; }
};

// -sum over k of target_k log p_k, smoothed as in cross_entropy.h
CrossEntropy cross_entropy_of(const Token& token, int target, double smoothing) {
  double log_p_sum = 0;
  for (Index k = 0; k < token.vocab; ++k) log_p_sum += static_cast<double>(token.log_p(k));
  const auto log_probability = static_cast<double>(token.log_p(target));
  const double mean = log_p_sum / static_cast<double>(token.vocab);
  return {.loss = -(1 - smoothing) * log_probability - smoothing * mean,
          .log_probability = log_probability,
          .rows = 1};
}

// KL(p || q)
Real divergence_of(const Token& token, const Token& other) {
  Real sum = 0;
  for (Index k = 0; k < token.vocab; ++k) sum += token.p[k] * (token.log_p(k) - other.log_p(k));
  return sum;
}

// The logits of a token in both passes become the gradients of grad_loss L:
//   d loss(p) / dx_k = p_k - target_k,  d KL(p || q) / dx_k = p_k (log(p_k / q_k) - KL(p || q)),
//   d KL(q || p) / dx_k = p_k - q_k
void logits_to_gradients(Real grad_loss, Real alpha, const Token& one, const Token& other, int target,
                         Real smoothing) {
  const Real half = grad_loss / 2, quarter = grad_loss * alpha / 4;
  const Real kl_pq = divergence_of(one, other), kl_qp = divergence_of(other, one);
  const Real everywhere = smoothing / static_cast<Real>(one.vocab);
  for (Index k = 0; k < one.vocab; ++k) {
    const Real p = one.p[k], q = other.p[k], log_ratio = one.log_p(k) - other.log_p(k);
    one.x[k] = half * (p - everywhere) + quarter * (p * (log_ratio - kl_pq) + p - q);
    other.x[k] = half * (q - everywhere) + quarter * (q * (-log_ratio - kl_qp) + q - p);
  }
  one.x[target] -= half * (1 - smoothing);
  other.x[target] -= half * (1 - smoothing);
}

// The rows first .. first + rows - 1 of the first pass, then those of the second.
Tensor rows_of_both(const Tensor& x, Index first, Index rows) {
  const Index d = x.dim(-1), pass = x.size() / 2;
  Tensor both({2 * rows, d});
  std::copy_n(x.data() + first * d, rows * d, both.mutable_data());
  std::copy_n(x.data() + pass + first * d, rows * d, both.mutable_data() + rows * d);
  return both;
}

void put_rows_of_both(const Tensor& both, Index first, Tensor& x) {
  const Index d = x.dim(-1), pass = x.size() / 2, rows = both.dim(0) / 2;
  std::copy_n(both.data(), rows * d, x.mutable_data() + first * d);
  std::copy_n(both.data() + rows * d, rows * d, x.mutable_data() + pass + first * d);
}

// Turns the logits [2 * rows, vocab] into gradients, and returns the sums of the loss over both passes.
CrossEntropy losses_of_block(Real grad_loss, double alpha, std::span<const int> targets, double smoothing,
                             Tensor& logits) {
  const Index rows = std::ssize(targets), vocab = logits.dim(1);
  const Tensor log_sums = log_sum_exp(logits);  // [2 * rows]
  const std::vector<Index> all_visible(2 * rows, vocab);
  const Tensor p = softmax_forward(logits, all_visible);
  Real* x = logits.mutable_data();
  CrossEntropy total;
  for (Index i = 0; i < rows; ++i) {
    const Index row_of_pass[] = {i, rows + i};
    if (targets[i] == kNoTarget) {
      for (Index row : row_of_pass) std::fill_n(x + row * vocab, vocab, Real{0});
      continue;
    }
    const auto token = [&](Index row) -> Token {
      return {vocab, x + row * vocab, p.data() + row * vocab, log_sums(row)};
    };
    for (Index row : row_of_pass) total += cross_entropy_of(token(row), targets[i], smoothing);
    logits_to_gradients(grad_loss, static_cast<Real>(alpha), token(i), token(rows + i), targets[i],
                        static_cast<Real>(smoothing));
  }
  return total;
}

}  // namespace

TranslationBatch twice(const TranslationBatch& batch) {
  return {.source = twice(batch.source),
          .target_input = twice(batch.target_input),
          .target_output = twice(batch.target_output)};
}

CrossEntropy r_drop_forward_backward(Real grad_loss, double alpha, const Tensor& x, Parameter& table,
                                     std::span<const int> targets, double smoothing, Tensor& grad_x) {
  const Index tokens = std::ssize(targets), d = table.value.dim(1);
  CHECK(x.size() == 2 * tokens * d, tokens, " targets for two passes over ", x.shape().to_string());
  grad_x = Tensor(x.shape());
  CrossEntropy both;
  for (Index first = 0; first < tokens; first += kBlockRows) {
    const Index rows = std::min(kBlockRows, tokens - first);
    // Step 1. Project: logits = x table^T.  Step 2. Compare: L of each token, and its gradient.
    const Tensor x_block = rows_of_both(x, first, rows);
    Tensor logits = linear_transposed_forward(x_block, table);  // [2 * rows, vocab]
    both += losses_of_block(grad_loss, alpha, targets.subspan(first, rows), smoothing, logits);

    // Step 1 was: logits = x table^T. Both factors get a gradient.
    put_rows_of_both(linear_transposed_backward(logits, x_block, table), first, grad_x);
  }
  return {.loss = both.loss / 2, .log_probability = both.log_probability / 2, .rows = both.rows / 2};
}

}  // namespace plainformer
