// Batches of sentences of similar length, so that little of a batch is padding.
#pragma once

#include <limits>
#include <vector>

#include "core/real.h"

namespace plainformer {

// Cuts the indices of `lengths` into batches of `batch` (the last may be smaller), the longest first; equal
// lengths keep their order. A batch is smaller if it would have more than `most_tokens` when padded to its
// longest, but never empty.
std::vector<std::vector<Index>> batches_by_length(const std::vector<Index>& lengths, Index batch,
                                                  Index most_tokens = std::numeric_limits<Index>::max());

}  // namespace plainformer
