// The number type of the whole program, and the type of its sizes and indices.
#pragma once

#include <cstddef>

#ifdef __FAST_MATH__
#error "plainformer needs IEEE arithmetic (NaN, infinity, one order of summation): build without -ffast-math"
#endif

namespace plainformer {

// float, or double in the gradient-check build (preset `double`) of the very same sources.
#ifdef PLAINFORMER_DOUBLE
using Real = double;
#else
using Real = float;
#endif

// Signed, so that differences and backward loops are safe.
using Index = std::ptrdiff_t;

}  // namespace plainformer
