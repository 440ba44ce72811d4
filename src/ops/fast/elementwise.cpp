// The fast way of the operations on single elements: sums, ReLU, dropout, Adam, and the sum of squares.
#include "ops/elementwise.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/fast/fast.h"
#include "ops/rows.h"

namespace plainformer::fast {

Tensor add(Tensor x, const Tensor& y) {
  Tensor sum = std::move(x);
  Real* data = sum.mutable_data();
  parallel_for(sum.size(), row_grain(1),
               [&](Index begin, Index end) { kernels().add(end - begin, y.data() + begin, data + begin); });
  return sum;
}

Tensor relu_forward(Tensor x) {
  Tensor y = std::move(x);
  Real* data = y.mutable_data();
  parallel_for(y.size(), row_grain(1), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) data[i] = data[i] < 0 ? Real{0} : data[i];
  });
  return y;
}

Tensor relu_backward(Tensor grad_y, const Tensor& y) {
  Tensor grad_x = std::move(grad_y);
  Real* data = grad_x.mutable_data();
  const Real* y_data = y.data();
  parallel_for(y.size(), row_grain(1), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Real grad = data[i];  // read in any case, so that compilers use vectors
      data[i] = y_data[i] > 0 ? grad : Real{0};
    }
  });
  return grad_x;
}

Tensor dropout_forward(Tensor x, Real probability, RandomStream stream) {
  const std::uint32_t threshold = dropout_threshold(probability);
  const Real scale = 1 / (1 - probability);
  Real* data = x.mutable_data();
  parallel_for(x.size(), row_grain(1), [&](Index begin, Index end) {
    kernels().dropout(end - begin, stream, static_cast<std::uint32_t>(begin), threshold, scale, data + begin,
                      data + begin);
  });
  return x;
}

// --- the optimizer ---

void adam_update(Parameter& parameter, Tensor& first_moment, Tensor& second_moment,
                 const AdamOptions& options, const AdamUpdate& update) {
  const auto real = [](double number) { return static_cast<Real>(number); };
  const AdamStep step = {.learning_rate = real(update.learning_rate),
                         .beta_1 = real(options.beta_1),
                         .beta_2 = real(options.beta_2),
                         .epsilon = real(options.epsilon),
                         .one_minus_beta_1 = real(1 - options.beta_1),
                         .one_minus_beta_2 = real(1 - options.beta_2),
                         .bias_correction_1 = real(1 - std::pow(options.beta_1, update.t)),
                         .bias_correction_2 = real(1 - std::pow(options.beta_2, update.t)),
                         .grad_scale = real(update.grad_scale)};
  const Real* grad = parameter.grad.data();
  Real* value = parameter.value.mutable_data();
  Real* m = first_moment.mutable_data();
  Real* v = second_moment.mutable_data();
  parallel_for(parameter.value.size(), row_grain(1), [&](Index begin, Index end) {
    kernels().adam(end - begin, step, grad + begin, value + begin, m + begin, v + begin);
  });
}

double sum_of_squares(const Tensor& x) {
  constexpr Index kBlock = 1 << 14;
  const Index size = x.size(), blocks = ceil_divide(size, kBlock);
  std::vector<double> sums(blocks);
  parallel_for(blocks, 1, [&](Index begin, Index end) {
    for (Index block = begin; block < end; ++block) {
      const Index first = block * kBlock;
      sums[block] = kernels().sum_of_squares(std::min(kBlock, size - first), x.data() + first);
    }
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace plainformer::fast
