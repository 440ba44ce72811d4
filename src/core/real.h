// The number type of the whole program, and the type of its sizes and indices.
#pragma once

#include <cfloat>
#include <cstddef>

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "plainformer needs IEEE arithmetic (NaN, infinity, one order of summation): build without -ffast-math"
#endif
#if FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD == 1 || FLT_EVAL_METHOD == 2
#error "plainformer needs a float that is rounded to float (not to x87's format): build with -msse2 -mfpmath=sse"
#endif

namespace plainformer {

// The number type: float, or double in the gradient-check build (preset `double`) of the very same sources.
#ifdef PLAINFORMER_DOUBLE
using Real = double;
#else
using Real = float;
#endif

// The type of sizes and indices. It is signed, so that differences and backward loops are safe.
using Index = std::ptrdiff_t;

}  // namespace plainformer
