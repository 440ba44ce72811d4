// The hyperbolic tangent of each number, for the recurrent translators.
#pragma once

#include "core/tensor.h"

namespace plainformer {

// y = tanh(x)
Tensor tanh_forward(const Tensor& x);

// grad_x = grad_y (1 - y^2), where y was tanh(x).
Tensor tanh_backward(const Tensor& grad_y, const Tensor& y);

}  // namespace plainformer
