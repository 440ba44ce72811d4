#include "ops/softmax.h"

#include <algorithm>

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/rows.h"

namespace plainformer {

Tensor softmax_forward(Tensor x, std::span<const Index> visible) {
  const Index rows = row_count(x), n_max = x.dim(-1);
  CHECK(static_cast<Index>(visible.size()) == rows, visible.size(), " counts for ", rows, " rows");
  Tensor y = std::move(x);
  Real* data = y.mutable_data();
  parallel_for(rows, row_grain(n_max), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const Index n = visible[row];
      CHECK(n >= 0 && n <= n_max, "row ", row, ": ", n, " visible entries of ", n_max);
      Real* y_row = data + row * n_max;
      kernels().softmax(n, y_row, y_row);
      std::fill(y_row + n, y_row + n_max, Real{0});
    }
  });
  return y;
}

Tensor softmax_backward(Tensor grad_y, const Tensor& y, std::span<const Index> visible) {
  const Index rows = row_count(y), n_max = y.dim(-1);
  CHECK(grad_y.shape() == y.shape(), grad_y.shape().to_string(), " for ", y.shape().to_string());
  CHECK(static_cast<Index>(visible.size()) == rows, visible.size(), " counts for ", rows, " rows");
  Tensor grad_x = std::move(grad_y);
  Real* data = grad_x.mutable_data();
  parallel_for(rows, row_grain(n_max), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const Index n = visible[row];
      CHECK(n >= 0 && n <= n_max, "row ", row, ": ", n, " visible entries of ", n_max);
      Real* grad_row = data + row * n_max;
      const Real* y_row = y.data() + row * n_max;
      kernels().softmax_gradient(n, kernels().dot(n, grad_row, y_row), grad_row, y_row, grad_row);
      std::fill(grad_row + n, grad_row + n_max, Real{0});
    }
  });
  return grad_x;
}

}  // namespace plainformer
