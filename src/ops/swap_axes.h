// Exchanges the two middle axes of a tensor.
#pragma once

#include "core/tensor.h"

namespace plainformer {

// [a, b, c, d] -> [a, c, b, d], copied. Its backward is itself: swapping twice is the identity.
Tensor swap_middle_axes(const Tensor& x);

}  // namespace plainformer
