#include "ops/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/rows.h"

namespace plainformer {

namespace {

void check_counts(const Tensor& y, std::span<const Index> visible_counts) {
  CHECK(std::ssize(visible_counts) == row_count(y), visible_counts.size(), " counts for ", row_count(y),
        " rows");
  for (const Index n : visible_counts) CHECK(n >= 0 && n <= y.dim(-1), n, " visible entries of ", y.dim(-1));
}

}  // namespace

Tensor softmax_forward(const Tensor& x, std::span<const Index> visible_counts) {
  check_counts(x, visible_counts);
  WritableTensor y = Tensor::zeros(x.shape());
  for (Index row = 0; row < row_count(x); ++row) {
    const Index n = visible_counts[row];

    // Step 1. Find the row's largest entry. It cancels, softmax(x) = softmax(x - c), so no power exceeds 1.
    Real largest = -std::numeric_limits<Real>::infinity();
    for (Index i = 0; i < n; ++i) largest = std::max(largest, x(row, i));

    // Step 2. Compute the powers and their sum.
    Real sum = 0;
    for (Index i = 0; i < n; ++i) {
      y(row, i) = std::exp(x(row, i) - largest);
      sum += y(row, i);
    }

    // Step 3. Divide by the sum. A row with n = 0 stays all zeros.
    for (Index i = 0; i < n; ++i) y(row, i) /= sum;
  }
  return y;
}

Tensor softmax_backward(const Tensor& grad_y, const Tensor& y, std::span<const Index> visible_counts) {
  check_counts(y, visible_counts);
  CHECK(grad_y.shape() == y.shape(), grad_y.shape().to_string(), " for ", y.shape().to_string());
  WritableTensor grad_x = Tensor::zeros(y.shape());
  for (Index row = 0; row < row_count(y); ++row) {
    const Index n = visible_counts[row];

    // y_j was: exp(x_j) / sum. Through the sum, every y_j depends on every x_i:
    //   grad_x_i = sum over j of grad_y_j y_j ([i = j] - y_i) = y_i (grad_y_i - sum over j of grad_y_j y_j)
    Real shared = 0;
    for (Index j = 0; j < n; ++j) shared += grad_y(row, j) * y(row, j);
    for (Index i = 0; i < n; ++i) grad_x(row, i) = y(row, i) * (grad_y(row, i) - shared);
  }
  return grad_x;
}

}  // namespace plainformer
