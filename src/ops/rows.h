// A tensor seen as a matrix of its innermost rows, and how many of them are worth a thread.
#pragma once

#include <algorithm>

#include "core/tensor.h"

namespace plainformer {

inline Index row_length(const Tensor& x) {
  return x.dim(-1);
}
inline Index row_count(const Tensor& x) {
  return x.empty() ? 0 : x.size() / row_length(x);
}

// The fewest rows of that length that repay waking a thread: some 16,000 elements, about ten microseconds'
// work.
inline Index row_grain(Index row_length) {
  return std::max<Index>(1, 16384 / std::max<Index>(1, row_length));
}

}  // namespace plainformer
