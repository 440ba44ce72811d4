// How many rows are worth a thread.
#pragma once

#include <algorithm>

#include "core/real.h"

namespace plainformer::fast {

// The fewest rows of this length that are worth waking a thread for: some 16,000 elements, about ten microseconds of
// work.
inline Index row_grain(Index row_length) {
  return std::max<Index>(1, 16384 / std::max<Index>(1, row_length));
}

}  // namespace plainformer::fast
