// Sentences of similar length together, so that little is padding.
#pragma once

#include <vector>

#include "core/real.h"

namespace plainformer {

// Cuts the indices of `lengths` into batches of `batch` (the last may be smaller), the longest first; equal
// lengths keep their order.
std::vector<std::vector<Index>> batches_by_length(const std::vector<Index>& lengths, Index batch);

}  // namespace plainformer
