// The products inside an attention, head by head, which neither its result nor its cache keeps. The loops are
// those of src/ops/plain/ (heads, scaled_dot_product_attention) in the same order, so all bits are equal.
#pragma once

#include "core/tensor.h"

namespace plainformer {

// Head h is the h-th block of columns.    x [1, len, heads * d_k] -> [1, heads, len, d_k]
Tensor split_heads(const Tensor& x, Index heads);

// A B^T in every head.    a [1, heads, rows, d], b [1, heads, columns, d] -> [1, heads, rows, columns]
Tensor head_products(const Tensor& a, const Tensor& b);

// x / sqrt(d_k), element by element.
Tensor divide_by_root(const Tensor& x, Index d_k);

}  // namespace plainformer
