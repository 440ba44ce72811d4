// Sentences of similar length together, so that little is padding.
#pragma once

#include <limits>
#include <vector>

#include "core/real.h"

namespace plainformer {

// Cuts the indices of `lengths` into batches of `batch` (the last may be smaller), the longest first; equal
// lengths keep their order. A batch whose sentences, padded to its longest, would come to more than
// `most_tokens` is smaller, but never empty.
std::vector<std::vector<Index>> batches_by_length(const std::vector<Index>& lengths, Index batch,
                                                  Index most_tokens = std::numeric_limits<Index>::max());

}  // namespace plainformer
