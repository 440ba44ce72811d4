#include "ops/elementwise.h"

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/fast/fast.h"
#include "ops/fast/row_grain.h"

namespace plainformer::fast {

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
  parallel_for(y.size(), row_grain(1), [&](Index begin, Index end) {
    kernels().relu_backward(end - begin, data + begin, y.data() + begin, data + begin);
  });
  return grad_x;
}

}  // namespace plainformer::fast
