// Many small matrix products at once: one for each pair of the two outer axes.
#pragma once

#include "core/tensor.h"
#include "ops/matmul.h"

namespace plainformer {

// c[i][j] = op(a[i][j]) op(b[i][j]), where op transposes the last two axes or not:
//   [outer, inner, m, k] and [outer, inner, k, n] -> [outer, inner, m, n]
// With c = a b, the gradients are products again:
//   grad_a = batched_matmul(grad_c, kNo, b, kYes)      grad_b = batched_matmul(a, kYes, grad_c, kNo)
Tensor batched_matmul(const Tensor& a, Transpose transpose_a, const Tensor& b, Transpose transpose_b);

}  // namespace plainformer
