// Sums and multiples of whole tensors.
#pragma once

#include "core/tensor.h"

namespace plainformer {

// x + y, of the same shape. Its backward is a fan-out: both inputs receive grad_output.
Tensor add(Tensor x, const Tensor& y);

// factor x. Its backward is itself: grad_x = factor grad_y.
Tensor scale(Tensor x, Real factor);

}  // namespace plainformer
