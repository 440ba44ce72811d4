// y = x W + b: the matrix products of every layer, and their gradients.
#pragma once

#include "core/parameter.h"
#include "core/tensor.h"
#include "ops/prepared_matrix.h"

namespace plainformer {

// y = x W.         x [..., in], w [in, out] -> y [..., out]
Tensor linear_forward(const Tensor& x, const Parameter& w);

// y = x W + b.     b [out]
Tensor linear_forward(const Tensor& x, const Parameter& w, const Parameter& b);

// y = max(0, x W + b): bias and ReLU are applied while the product's elements are still in registers.
Tensor linear_relu_forward(const Tensor& x, const Parameter& w, const Parameter& b);

// The same with a W that was prepared for many such products: the same bits.
Tensor linear_forward(const Tensor& x, const PreparedMatrix& w);
Tensor linear_forward(const Tensor& x, const PreparedMatrix& w, const Parameter& b);
Tensor linear_relu_forward(const Tensor& x, const PreparedMatrix& w, const Parameter& b);

// The gradients of max(0, x W + b), as linear_backward's after grad_y is masked to where y > 0. Move grad_y
// in: it is reused.
Tensor linear_relu_backward(Tensor grad_y, const Tensor& y, const Tensor& x, Parameter& w, Parameter& b);

// grad_x = grad_y W^T is returned; w.grad += x^T grad_y.
Tensor linear_backward(const Tensor& grad_y, const Tensor& x, Parameter& w);

// The same, and b.grad += the sum of grad_y's rows.
Tensor linear_backward(const Tensor& grad_y, const Tensor& x, Parameter& w, Parameter& b);

}  // namespace plainformer
