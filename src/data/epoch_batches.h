// Paper: 5.1 Training Data and Batching
//
// The batches of a text, epoch by epoch, as the training loop takes them.
#pragma once

#include <cstdint>
#include <vector>

#include "data/batching.h"
#include "training/training_loop.h"

namespace plainformer {

// Batches that were taken from an epoch, all of one size.
struct TakenBatches {
  Index max_tokens, batches;
};

// An epoch that began with batches of other sizes. It goes on with the pairs that are left.
struct BegunEpoch {
  Index epoch = 0;
  std::vector<TakenBatches> taken;  // in this order
};

// Each epoch has the batches of make_batches for its number. The pairs, at least one, must outlive the
// source; they may change before an epoch begins. Of the epoch `begun` no batch may be left; the training
// loop asks for at least one.
BatchSource batches_of(const std::vector<SentencePair>& pairs, Index max_tokens, std::uint64_t seed,
                       const BegunEpoch& begun = {});
BatchSource batches_of(std::vector<SentencePair>&& pairs, Index max_tokens, std::uint64_t seed,
                       const BegunEpoch& begun = {}) = delete;

}  // namespace plainformer
