// Sizes read from a file are hostile: their sums and products must not wrap.
#pragma once

#include <limits>
#include <stdexcept>

#include "core/real.h"

namespace plainformer {

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
