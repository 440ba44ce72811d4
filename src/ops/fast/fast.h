// The fast way of every operation that has one: threaded, on kernels/, and fused or tiled where that pays.
// Each has the signature of its caller in ops/. Attention has a header of its own.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/adam.h"
#include "ops/cross_entropy.h"
#include "ops/elementwise.h"
#include "ops/layer_norm.h"
#include "ops/linear.h"
#include "ops/reductions.h"

namespace plainformer::fast {

decltype(plainformer::adam_update) adam_update;
decltype(plainformer::projected_cross_entropy_forward) projected_cross_entropy_forward;
decltype(plainformer::projected_cross_entropy_forward_backward) projected_cross_entropy_forward_backward;
decltype(plainformer::dropout_forward) dropout_forward;
decltype(plainformer::add) add;
decltype(plainformer::layer_norm_forward) layer_norm_forward;
decltype(plainformer::layer_norm_backward) layer_norm_backward;
decltype(plainformer::linear_forward) linear_forward;
decltype(plainformer::linear_backward) linear_backward;
decltype(plainformer::linear_bias_forward) linear_bias_forward;
decltype(plainformer::linear_bias_backward) linear_bias_backward;
decltype(plainformer::linear_transposed_forward) linear_transposed_forward;
decltype(plainformer::linear_transposed_backward) linear_transposed_backward;
decltype(plainformer::log_sum_exp) log_sum_exp;
decltype(plainformer::relu_forward) relu_forward;
decltype(plainformer::relu_backward) relu_backward;
decltype(plainformer::sum_of_squares) sum_of_squares;
decltype(plainformer::top_k_and_log_sum_exp) top_k_and_log_sum_exp;

// The fewest rows of this length that are worth waking a thread for: some 16,000 elements, about ten
// microseconds of work.
inline Index row_grain(Index row_length) {
  return std::max<Index>(1, 16384 / std::max<Index>(1, row_length));
}

// Calls body(i) for i = 0 .. count-1, such as the batches of a text. If there are at least as many indices as
// threads, each thread takes the next index when it is done with one, and computes it alone, so that nothing
// waits for small products. Otherwise the threads share the work within each call. The bits are the same.
// After an exception no call begins.
template <typename Body>
void for_each_task(Index count, const Body& body) {
  std::atomic<Index> next = 0;
  parallel_for(count < threads() ? 1 : threads(), 1, [&](Index, Index) {
    try {
      for (Index i; (i = next++) < count;) body(i);
    } catch (...) {
      next = count;  // the others finish what they have begun
      throw;
    }
  });
}

// --- the loss, block by block of the rows of logits ---

// The number of rows of logits that exist at a time. (train/training_cost predicts memory by it.)
Index rows_of_logits_block(Index classes);

// log(sum(exp(x))), computed from x minus its largest element. NaN if some element is NaN or plus infinity,
// or if all are minus infinity; minus infinity for n = 0.
inline double log_sum_exp_of(Index n, Real largest, const Real* x) {
  return static_cast<double>(largest) + std::log(kernels().exp_sum(n, largest, x, nullptr));
}

// The loss of one row. With q = (1 - smoothing) one_hot(target) + smoothing / K, and
// log_sum = log(sum over k of exp x_k):
//   loss = log_sum - (1 - smoothing) x_target - smoothing mean(x)
inline CrossEntropy row_loss(Index classes, const Real* x, int target, double smoothing, double log_sum) {
  const double mean = kernels().sum(classes, x) / static_cast<double>(classes);
  return {.loss = log_sum - (1.0 - smoothing) * static_cast<double>(x[target]) - smoothing * mean,
          .log_probability = static_cast<double>(x[target]) - log_sum,
          .rows = 1};
}

// Adds the rows up in their order, so the sum does not depend on the threads that computed them.
inline CrossEntropy sum_of(const std::vector<CrossEntropy>& rows) {
  CrossEntropy total;
  for (const CrossEntropy& row : rows) total += row;
  return total;
}

}  // namespace plainformer::fast
