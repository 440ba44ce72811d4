#include "ops/add_rows.h"

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/fast/fast.h"
#include "ops/fast/row_grain.h"

namespace plainformer::fast {

Tensor add_rows_forward(Tensor x, const Tensor& rows, Index first_row) {
  const Index batch = x.dim(0), len = x.dim(1), d = x.dim(2);
  const Real* added = rows.data() + first_row * d;
  Tensor y = std::move(x);
  Real* y_data = y.mutable_data();
  parallel_for(batch * len, row_grain(d), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) kernels().add(d, added + row % len * d, y_data + row * d);
  });
  return y;
}

void add_rows_backward(const Tensor& grad_y, Tensor& grad_rows, Index first_row) {
  const Index batch = grad_y.dim(0), size = grad_y.dim(1) * grad_y.dim(2);
  Real* grad = grad_rows.mutable_data() + first_row * grad_y.dim(2);
  // Each element was added to every batch element, so its gradient is the sum over them. A thread owns some.
  parallel_for(size, std::max<Index>(64, row_grain(batch)), [&](Index begin, Index end) {
    kernels().sum_columns(batch, end - begin, grad_y.data() + begin, size, grad + begin);
  });
}

}  // namespace plainformer::fast
