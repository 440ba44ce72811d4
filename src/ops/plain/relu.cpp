#include "ops/relu.h"

#include "core/elements.h"
#include "ops/plain/plain.h"

namespace plainformer::plain {

Tensor relu_forward(Tensor x) {
  Elements y(x);
  for (Index i = 0; i < x.size(); ++i)
    if (y(i) < 0) y(i) = 0;
  return x;
}

// y was: max(0, x). A negative x had no influence.
Tensor relu_backward(Tensor grad_y, const Tensor& y) {
  Elements grad_x(grad_y);
  for (Index i = 0; i < y.size(); ++i)
    if (!(y(i) > 0)) grad_x(i) = 0;
  return grad_y;
}

}  // namespace plainformer::plain
