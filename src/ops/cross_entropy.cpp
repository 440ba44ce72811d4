#include "ops/cross_entropy.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/rows.h"

namespace plainformer {

namespace {

void check_targets(const Tensor& x, std::span<const int> targets, double smoothing) {
  CHECK(std::ssize(targets) == row_count(x), targets.size(), " targets for ", x.shape().to_string());
  CHECK(smoothing >= 0 && smoothing < 1, "label smoothing ", smoothing);
  for (int target : targets) {
    CHECK(target == kNoTarget || (target >= 0 && target < x.dim(-1)), "target ", target, " of ", x.dim(-1));
  }
}

struct RowLoss {
  double loss = 0, log_probability = 0;
};

RowLoss row_loss(Index classes, const Real* x, int target, double smoothing, double log_sum) {
  const double mean = kernels().sum(classes, x) / static_cast<double>(classes);
  return {.loss = log_sum - (1.0 - smoothing) * static_cast<double>(x[target]) - smoothing * mean,
          .log_probability = static_cast<double>(x[target]) - log_sum};
}

// Adds the rows up in their order, whatever thread computed them.
CrossEntropy sum_of(const std::vector<RowLoss>& losses, std::span<const int> targets) {
  CrossEntropy total;
  for (std::size_t row = 0; row < losses.size(); ++row) {
    total.loss += losses[row].loss;
    total.log_probability += losses[row].log_probability;
    total.rows += targets[row] != kNoTarget;
  }
  return total;
}

}  // namespace

CrossEntropy cross_entropy_forward(const Tensor& x, std::span<const int> targets, double smoothing) {
  check_targets(x, targets, smoothing);
  const Index rows = row_count(x), classes = x.dim(-1);
  std::vector<RowLoss> losses(rows);
  parallel_for(rows, row_grain(classes), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      if (targets[row] == kNoTarget) continue;
      const Real* x_row = x.data() + row * classes;
      const double log_sum = kernels().log_sum_exp(classes, x_row);
      losses[row] = row_loss(classes, x_row, targets[row], smoothing, log_sum);
    }
  });
  return sum_of(losses, targets);
}

Tensor cross_entropy_backward(Real grad_loss, Tensor x, std::span<const int> targets, double smoothing) {
  Tensor grad_x;
  cross_entropy_forward_backward(grad_loss, std::move(x), targets, smoothing, grad_x);
  return grad_x;
}

CrossEntropy cross_entropy_forward_backward(Real grad_loss, Tensor x, std::span<const int> targets,
                                            double smoothing, Tensor& grad_x) {
  check_targets(x, targets, smoothing);
  const Index rows = row_count(x), classes = x.dim(-1);
  const Real everywhere = grad_loss * static_cast<Real>(smoothing / static_cast<double>(classes));
  const Real on_target = grad_loss * static_cast<Real>(1 - smoothing);
  std::vector<RowLoss> losses(rows);
  grad_x = std::move(x);
  Real* data = grad_x.mutable_data();
  parallel_for(rows, row_grain(classes), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      Real* grad_row = data + row * classes;
      const int target = targets[row];
      if (target == kNoTarget) {
        std::fill_n(grad_row, classes, Real{0});
        continue;
      }
      const Real largest = kernels().largest(classes, grad_row);
      RowLoss loss = row_loss(classes, grad_row, target, smoothing, 0);
      const double exp_sum = kernels().exp_sum(classes, largest, grad_row, grad_row);
      const double log_sum = static_cast<double>(largest) + std::log(exp_sum);
      losses[row] = {.loss = loss.loss + log_sum, .log_probability = loss.log_probability - log_sum};
      // p - q = exp(x - largest) / sum - smoothing / K - (1 - smoothing) one_hot(target)
      kernels().scale_and_shift(classes, grad_loss / static_cast<Real>(exp_sum), -everywhere, grad_row,
                                grad_row);
      grad_row[target] -= on_target;
    }
  });
  return sum_of(losses, targets);
}

}  // namespace plainformer
