#include "ops/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/elements.h"
#include "ops/rows.h"

namespace plainformer {

namespace {

void check_visible(const Tensor& y, std::span<const Index> visible) {
  CHECK(std::ssize(visible) == row_count(y), visible.size(), " counts for ", row_count(y), " rows");
  for (const Index n : visible) CHECK(n >= 0 && n <= y.dim(-1), n, " visible entries of ", y.dim(-1));
}

}  // namespace

Tensor softmax_forward(Tensor x, std::span<const Index> visible) {
  check_visible(x, visible);
  Tensor output = Tensor::zeros(x.shape());
  Elements y(output);
  for (Index row = 0; row < row_count(x); ++row) {
    const Index n = visible[row];

    // Step 1. The row's largest entry, which cancels: softmax(x) = softmax(x - c). So no power exceeds 1.
    Real largest = -std::numeric_limits<Real>::infinity();
    for (Index i = 0; i < n; ++i) largest = std::max(largest, x(row, i));

    // Step 2. The powers and their sum.
    Real sum = 0;
    for (Index i = 0; i < n; ++i) {
      y(row, i) = std::exp(x(row, i) - largest);
      sum += y(row, i);
    }

    // Step 3. Shares of the sum. A row that sees nothing stays all zeros.
    for (Index i = 0; i < n; ++i) y(row, i) /= sum;
  }
  return output;
}

Tensor softmax_backward(Tensor grad_y, const Tensor& y, std::span<const Index> visible) {
  check_visible(y, visible);
  CHECK(grad_y.shape() == y.shape(), grad_y.shape().to_string(), " for ", y.shape().to_string());
  Tensor grad_input = Tensor::zeros(y.shape());
  Elements grad_x(grad_input);
  for (Index row = 0; row < row_count(y); ++row) {
    const Index n = visible[row];

    // y_j = exp(x_j) / sum. Through the sum, every y_j depends on every x_i:
    //   grad_x_i = sum over j of grad_y_j y_j ([i = j] - y_i) = y_i (grad_y_i - sum over j of grad_y_j y_j)
    Real shared = 0;
    for (Index j = 0; j < n; ++j) shared += grad_y(row, j) * y(row, j);
    for (Index i = 0; i < n; ++i) grad_x(row, i) = y(row, i) * (grad_y(row, i) - shared);
  }
  return grad_input;
}

}  // namespace plainformer
