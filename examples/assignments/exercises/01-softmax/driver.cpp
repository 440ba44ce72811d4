#include "driver.h"

#include <cmath>
#include <limits>

#include "core/writable_tensor.h"
#include "ops/softmax.h"

namespace plainformer::course {

namespace {

const std::vector<Index> kVisibleCounts = {3, 4, 1, 0};

// What a mask hides is nan, so that reading it shows.
Tensor with_hidden_nan(Tensor x) {
  const TensorWriter element(x);
  for (Index row = 0; row < x.dim(0); ++row)
    for (Index i = kVisibleCounts[row]; i < x.dim(1); ++i)
      element(row, i) = std::numeric_limits<Real>::quiet_NaN();
  return x;
}

void forward() {
  const Tensor x = random_input({4, 4}, 1'000);
  show("y", softmax_forward(x, kVisibleCounts));
  show("y where what is masked is nan", softmax_forward(with_hidden_nan(x), kVisibleCounts));

  // Scores so far from 0 that their exponentials overflow, or all vanish.
  Tensor large({2, 2});
  const TensorWriter element(large);
  for (Index row = 0; row < 2; ++row)
    for (Index i = 0; i < 2; ++i) element(row, i) = static_cast<Real>(10'000 * (1 - 2 * row) + i);
  show("y of large x", softmax_forward(large, std::vector<Index>{2, 2}));
  for (Index row = 0; row < 2; ++row) element(row, 1 - row) = 1'000 * element(row, row);
  show("y of x far apart", softmax_forward(large, std::vector<Index>{2, 2}));
}

// Rows of positive numbers with sum 1, where they are visible.
Tensor shares() {
  WritableTensor y = Tensor::zeros({4, 4});
  const Tensor x = random_input({4, 4}, 1'000);
  for (Index row = 0; row < 4; ++row) {
    Real sum = 0;
    for (Index i = 0; i < kVisibleCounts[row]; ++i) sum += std::exp(x(row, i));
    for (Index i = 0; i < kVisibleCounts[row]; ++i) y(row, i) = std::exp(x(row, i)) / sum;
  }
  return y;
}

void backward() {
  const Tensor grad_y = random_input({4, 4}, 2'000);
  show("grad_x", softmax_backward(grad_y, shares(), kVisibleCounts));
  show("grad_x where what is masked is nan",
       softmax_backward(with_hidden_nan(grad_y), shares(), kVisibleCounts));
}

}  // namespace

std::vector<Stage> stages() {
  return {{"softmax_forward", forward}, {"softmax_backward", backward}};
}

}  // namespace plainformer::course
