// The loss, block by block of the rows of logits: the loss of a row, and the sum over rows.
#pragma once

#include <span>
#include <vector>

#include "kernels/kernels.h"
#include "ops/cross_entropy.h"

namespace plainformer::fast {

// The number of rows of logits that exist at a time. (show/cost predicts memory by it.)
Index rows_of_logits_block(Index classes);

struct RowLoss {
  double loss = 0, log_probability = 0;
};

// With q = (1 - smoothing) one_hot(target) + smoothing / K and log_sum = log(sum over k of exp x_k):
//   loss = log_sum - (1 - smoothing) x_target - smoothing mean(x)
inline RowLoss row_loss(Index classes, const Real* x, int target, double smoothing, double log_sum) {
  const double mean = kernels().sum(classes, x) / static_cast<double>(classes);
  return {.loss = log_sum - (1.0 - smoothing) * static_cast<double>(x[target]) - smoothing * mean,
          .log_probability = static_cast<double>(x[target]) - log_sum};
}

// Adds the rows up in their order, so the sum does not depend on the threads that computed them.
inline CrossEntropy sum_of(const std::vector<RowLoss>& losses, std::span<const int> targets) {
  CrossEntropy total;
  for (std::size_t row = 0; row < losses.size(); ++row) {
    total.loss += losses[row].loss;
    total.log_probability += losses[row].log_probability;
    total.rows += targets[row] != kNoTarget;
  }
  return total;
}

}  // namespace plainformer::fast
