// y = x W + b: the products of every layer, and their gradients.
#pragma once

#include "core/parameter.h"

namespace plainformer {

// y = x W.         x [..., in], w [in, out] -> y [..., out]
Tensor linear_forward(const Tensor& x, const Parameter& w);

// grad_x = grad_y W^T is returned; w.grad += x^T grad_y.
Tensor linear_backward(const Tensor& grad_y, const Tensor& x, Parameter& w);

// y = x W + b.     b [out]
Tensor linear_bias_forward(const Tensor& x, const Parameter& w, const Parameter& b);

// grad_x = grad_y W^T is returned; w.grad += x^T grad_y; b.grad += the sum of grad_y's rows.
Tensor linear_bias_backward(const Tensor& grad_y, const Tensor& x, Parameter& w, Parameter& b);

// y = x W^T.       x [..., in], w [out, in] -> y [..., out]
Tensor linear_transposed_forward(const Tensor& x, const Parameter& w);

// grad_x = grad_y W is returned; w.grad += grad_y^T x.
Tensor linear_transposed_backward(const Tensor& grad_y, const Tensor& x, Parameter& w);

}  // namespace plainformer
