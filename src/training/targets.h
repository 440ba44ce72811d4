// The targets of the cross-entropy.
#pragma once

#include <vector>

#include "transformer/token_batch.h"

namespace plainformer {

// The token of each position of target_output, row by row; kNoTarget for padding, which does not count.
std::vector<int> targets_of(const TokenBatch& target_output);

}  // namespace plainformer
