// ReLU: max(0, x).
#pragma once

#include "core/tensor.h"

namespace plainformer {

// y = max(0, x), element by element. A NaN stays a NaN.
Tensor relu_forward(Tensor x);

// grad_x = grad_y where y > 0, else 0. It needs only y: y > 0 exactly where x > 0.
Tensor relu_backward(Tensor grad_y, const Tensor& y);

}  // namespace plainformer
