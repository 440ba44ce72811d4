#include "ops/relu.h"

#include <algorithm>

#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/fast/fast.h"
#include "ops/ways.h"

namespace plainformer {

Tensor relu_forward(Tensor x) {
  if (ways.elementwise == Way::kFast) return fast::relu_forward(std::move(x));

  WritableTensor y = std::move(x);
  for (Index i = 0; i < y.size(); ++i) y(i) = std::max(y(i), Real{0});
  return y;
}

// y was: max(0, x). A negative x had no influence.
Tensor relu_backward(Tensor grad_y, const Tensor& y) {
  CHECK(grad_y.shape() == y.shape(), grad_y.shape().to_string(), " for ", y.shape().to_string());
  if (ways.elementwise == Way::kFast) return fast::relu_backward(std::move(grad_y), y);

  WritableTensor grad_x = std::move(grad_y);
  for (Index i = 0; i < y.size(); ++i) grad_x(i) = y(i) > 0 ? grad_x(i) : Real{0};
  return grad_x;
}

}  // namespace plainformer
