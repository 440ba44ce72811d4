// Sums and multiples of whole tensors.
#pragma once

#include "core/tensor.h"

namespace plainformer {

// x + y, of the same shape. It needs no backward: both inputs get grad_output unchanged.
Tensor add(Tensor x, const Tensor& y);

// factor x. It is its own backward: grad_x = factor grad_y.
Tensor scale(Tensor x, Real factor);

}  // namespace plainformer
