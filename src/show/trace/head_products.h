// The products inside an attention, head by head, which neither its result nor its cache keeps. The loops add in the
// order of the plain scaled_dot_product_attention, so all bits are equal.
#pragma once

#include "core/tensor.h"

namespace plainformer {

// A B^T in every head.    a [1, heads, rows, d], b [1, heads, columns, d] -> [1, heads, rows, columns]
Tensor head_products(const Tensor& a, const Tensor& b);

// x / sqrt(d_k), element by element.
Tensor divide_by_root(const Tensor& x, Index d_k);

}  // namespace plainformer
