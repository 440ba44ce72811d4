// Sizes read from a file are hostile: their sums and products must not wrap.
#pragma once

#include <stdexcept>

#include "core/real.h"

namespace plainformer {

// a * b for a, b >= 0; std::overflow_error if an Index cannot hold it.
inline Index checked_multiply(Index a, Index b) {
  Index product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw std::overflow_error("a product of sizes overflows");
  return product;
}

// a + b for a, b >= 0; std::overflow_error if an Index cannot hold it.
inline Index checked_add(Index a, Index b) {
  Index sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw std::overflow_error("a sum of sizes overflows");
  return sum;
}

}  // namespace plainformer
