// y = x W + b: the matrix products of every layer, and their gradients.
#pragma once

#include "core/parameter.h"
#include "core/tensor.h"

namespace plainformer {

// y = x W.         x [..., in], w [in, out] -> y [..., out]
Tensor linear_forward(const Tensor& x, const Parameter& w);

// y = x W + b.     b [out]
Tensor linear_forward(const Tensor& x, const Parameter& w, const Parameter& b);

// grad_x = grad_y W^T is returned; w.grad += x^T grad_y.
Tensor linear_backward(const Tensor& grad_y, const Tensor& x, Parameter& w);

// The same, and b.grad += the sum of grad_y's rows.
Tensor linear_backward(const Tensor& grad_y, const Tensor& x, Parameter& w, Parameter& b);

}  // namespace plainformer
