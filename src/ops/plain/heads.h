// The plain way splits the heads before equation (1) and concatenates them after it, as Figure 2 (right) of the
// paper draws it.
#pragma once

#include "core/tensor.h"

namespace plainformer::plain {

// [batch, len, heads * d_k] -> [batch, heads, len, d_k]: head h is the h-th block of columns.
Tensor split_heads(const Tensor& x, Index heads);

// [batch, heads, len, d_v] -> [batch, len, heads * d_v]: the heads side by side. It undoes split_heads, so
// each of the two is the other's backward.
Tensor concatenate_heads(const Tensor& head);

}  // namespace plainformer::plain
