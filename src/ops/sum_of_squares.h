// The Euclidean length of gradients.
#pragma once

#include "core/tensor.h"

namespace plainformer {

// The sum of x's squares, in double. NaN or infinite exactly if some element is (if Real is double, also if a
// square overflows).
// Summed in fixed blocks, so the same for any number of threads.
double sum_of_squares(const Tensor& x);

}  // namespace plainformer
