// One position of all sentences of a batch, for layers that go through a sequence step by step.
#pragma once

#include <utility>
#include <vector>

#include "core/tensor.h"

namespace plainformer {

// y[element] = x[element][t].    x [batch, len, d] -> y [batch, d]
Tensor take_position(const Tensor& x, Index t);

// x[element][t] = y[element].    y [batch, d], x [batch, len, d]
void put_position(const Tensor& y, Index t, Tensor& x);

// The last position of each sentence: y[element] = x[element][lengths[element] - 1]. The other function puts it there.
//   x [batch, len, d], lengths [batch], each at least 1; y [batch, d]
Tensor take_last_position(const Tensor& x, const std::vector<Index>& lengths);
void put_last_position(const Tensor& y, const std::vector<Index>& lengths, Tensor& x);

// Each row of a, continued by the same row of b. Its backward is split_columns.
//   a [..., d_a], b [..., d_b] -> [..., d_a + d_b]
Tensor join_columns(const Tensor& a, const Tensor& b);

// The first d_a columns of x, and the others.    x [..., d] -> [..., d_a], [..., d - d_a]
std::pair<Tensor, Tensor> split_columns(const Tensor& x, Index d_a);

// Turns each sentence around: y[element][t] = x[element][lengths[element] - 1 - t]. Padding stays where it is. Turning
// twice changes nothing, so the function is its own backward.    x [batch, len, d], lengths [batch]
Tensor turn_around(const Tensor& x, const std::vector<Index>& lengths);

}  // namespace plainformer
