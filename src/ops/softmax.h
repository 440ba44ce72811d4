// Softmax over the first entries of each row.
#pragma once

#include <span>

#include "core/tensor.h"

namespace plainformer {

// y_i = exp(x_i) / sum over j < n of exp(x_j), for i < n = visible[row]; y_i = 0 beyond, where x is not even
// read. A row with n = 0 is all zeros, not NaN.
//
//   x        [..., n_max]; shifted by the row's largest entry, which cancels: softmax(x) = softmax(x - c)
//   visible  one count in 0 .. n_max for each row
Tensor softmax_forward(Tensor x, std::span<const Index> visible);

// grad_x_i = y_i (grad_y_i - sum over j of grad_y_j y_j), the product with softmax's Jacobian diag(y) - y
// y^T; 0 beyond the visible entries, where grad_y is not read.
Tensor softmax_backward(Tensor grad_y, const Tensor& y, std::span<const Index> visible);

}  // namespace plainformer
