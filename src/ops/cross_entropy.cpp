#include "ops/cross_entropy.h"

#include <algorithm>
#include <numeric>
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

}  // namespace

CrossEntropy cross_entropy_forward(const Tensor& x, std::span<const int> targets, double smoothing) {
  check_targets(x, targets, smoothing);
  const Index rows = row_count(x), classes = x.dim(-1);
  std::vector<double> loss(rows, 0), log_probability(rows, 0);
  parallel_for(rows, row_grain(classes), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      if (targets[row] == kNoTarget) continue;
      const Real* x_row = x.data() + row * classes;
      const double log_sum = kernels().log_sum_exp(classes, x_row);
      const double mean = std::accumulate(x_row, x_row + classes, 0.0) / static_cast<double>(classes);
      log_probability[row] = x_row[targets[row]] - log_sum;
      loss[row] = log_sum - (1.0 - smoothing) * x_row[targets[row]] - smoothing * mean;
    }
  });
  CrossEntropy total;
  for (Index row = 0; row < rows; ++row) {
    total.loss += loss[row];
    total.log_probability += log_probability[row];
    total.rows += targets[row] != kNoTarget;
  }
  return total;
}

Tensor cross_entropy_backward(Real grad_loss, Tensor x, std::span<const int> targets, double smoothing) {
  check_targets(x, targets, smoothing);
  const Index rows = row_count(x), classes = x.dim(-1);
  Tensor grad_x = std::move(x);
  Real* data = grad_x.mutable_data();
  parallel_for(rows, row_grain(classes), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      Real* grad_row = data + row * classes;
      if (targets[row] == kNoTarget) {
        std::fill_n(grad_row, classes, Real{0});
        continue;
      }
      // p - q = softmax(x) - smoothing / K - (1 - smoothing) one_hot(target)
      kernels().softmax(classes, grad_row, grad_row);
      const auto everywhere = static_cast<Real>(smoothing / static_cast<double>(classes));
      for (Index k = 0; k < classes; ++k) grad_row[k] = grad_loss * (grad_row[k] - everywhere);
      grad_row[targets[row]] -= grad_loss * static_cast<Real>(1 - smoothing);
    }
  });
  return grad_x;
}

}  // namespace plainformer
