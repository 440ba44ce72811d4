// Softmax over the first entries of each row. It exists only in the plain way: the fast attention has its
// own.
#pragma once

#include <span>

#include "core/tensor.h"

namespace plainformer {

// y_i = exp(x_i) / sum over j < n of exp(x_j), for i < n = visible_counts[row]; y_i = 0 for the others, whose
// x_i is not read. A row with n = 0 is all zeros, not NaN.
//
//   x                [..., n_max]; shifted by each row's maximum, which cancels: softmax(x) = softmax(x - c)
//   visible_counts   [rows], each in 0 .. n_max
Tensor softmax_forward(const Tensor& x, std::span<const Index> visible_counts);

// grad_x_i = y_i (grad_y_i - sum over j of grad_y_j y_j), the product with the Jacobian of softmax,
// diag(y) - y y^T; 0 for the entries that are not visible, whose grad_y_i is not read.
Tensor softmax_backward(const Tensor& grad_y, const Tensor& y, std::span<const Index> visible_counts);

}  // namespace plainformer
