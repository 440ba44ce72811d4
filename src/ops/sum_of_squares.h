// The sum of squares, for the Euclidean length of the gradients.
#pragma once

#include "core/tensor.h"

namespace plainformer {

// The sum of x's squares, in double. It is NaN or infinite exactly if some element is (in the double build,
// also if it overflows), and the same for any number of threads.
double sum_of_squares(const Tensor& x);

}  // namespace plainformer
