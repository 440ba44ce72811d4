// Paper: 3.2.2 Multi-Head Attention, Figure 2 (right)
//
// Splits the columns of queries, keys and values into heads before equation (1), and concatenates the heads after it.
#pragma once

#include "core/tensor.h"

namespace plainformer {

// [batch, len, heads * d_k] -> [batch, heads, len, d_k]: head h is the h-th block of d_k columns.
Tensor split_heads(const Tensor& x, Index heads);

// [batch, heads, len, d_v] -> [batch, len, heads * d_v]: the heads side by side. It undoes split_heads, so
// each of the two is the other's backward.
Tensor concatenate_heads(const Tensor& head);

}  // namespace plainformer
