#include "beyond/tanh.h"

#include <cmath>

#include "core/writable_tensor.h"

namespace plainformer {

Tensor tanh_forward(const Tensor& x) {
  WritableTensor y(x.shape());
  for (Index i = 0; i < x.size(); ++i) y(i) = std::tanh(x(i));
  return y;
}

Tensor tanh_backward(const Tensor& grad_y, const Tensor& y) {
  WritableTensor grad_x(y.shape());
  for (Index i = 0; i < y.size(); ++i) grad_x(i) = grad_y(i) * (1 - y(i) * y(i));
  return grad_x;
}

}  // namespace plainformer
