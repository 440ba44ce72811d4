// The number type of the whole program, and the type of its sizes and indices, with sums and products that
// are checked.
#pragma once

#include <cfloat>
#include <cstddef>
#include <limits>
#include <stdexcept>

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "plainformer needs IEEE arithmetic (NaN, infinity, one order of summation): build without -ffast-math"
#endif
#if FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD == 1 || FLT_EVAL_METHOD == 2
#error \
    "plainformer needs a float that is rounded to float (not to x87's format): build with -msse2 -mfpmath=sse"
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

// Sizes read from a file are hostile: their sums and products must not wrap.

// a * b for a, b >= 0; std::overflow_error if an Index cannot hold it.
inline Index checked_multiply(Index a, Index b) {
  constexpr Index kSmall =
      Index{1} << (4 * sizeof(Index) - 1);               // the product of two smaller ones always fits
  const bool may_overflow = a >= kSmall || b >= kSmall;  // a division takes far longer than this test
  if (may_overflow && b > 0 && a > std::numeric_limits<Index>::max() / b)
    throw std::overflow_error("a product of sizes overflows");
  return a * b;
}

// a + b for a, b >= 0; std::overflow_error if an Index cannot hold it.
inline Index checked_add(Index a, Index b) {
  if (a > std::numeric_limits<Index>::max() - b) throw std::overflow_error("a sum of sizes overflows");
  return a + b;
}

}  // namespace plainformer
