// Paper: 5.1 Training Data and Batching
//
// The batches of a text, epoch by epoch, as the training loop takes them.
#pragma once

#include <cstdint>
#include <vector>

#include "data/batching.h"
#include "training/training_loop.h"

namespace plainformer {

// Each epoch has the batches of make_batches for its number. The pairs, at least one, must outlive the source; they may
// change before an epoch begins.
BatchSource batches_of(const std::vector<SentencePair>& pairs, Index max_tokens, std::uint64_t seed);
BatchSource batches_of(std::vector<SentencePair>&& pairs, Index max_tokens, std::uint64_t seed) = delete;

}  // namespace plainformer
