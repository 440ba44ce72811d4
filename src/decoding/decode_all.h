// Translates many sentences, for `plainformer translate`.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "core/real.h"
#include "decoding/beam.h"
#include "transformer/transformer.h"

namespace plainformer {

// Cuts the indices of `lengths` into batches of `batch` (the last may be smaller), the longest first; equal
// lengths keep their order. A batch is smaller if it would have more than `most_tokens` when padded to its
// longest, but never empty.
std::vector<std::vector<Index>> batches_by_length(const std::vector<Index>& lengths, Index batch,
                                                  Index most_tokens = std::numeric_limits<Index>::max());

struct DecoderWeights;

// A model with its matrices as the fast way of decode_all reads them. Prepare it once for several calls. The
// model must stay as it is meanwhile.
struct PreparedModel {
  PreparedModel(const Transformer& model);
  ~PreparedModel();

  const Transformer& model;
  const std::unique_ptr<const DecoderWeights> decoder_weights;  // null in the plain way
};

// Called after each batch, with the number of sentences translated so far and in all: by one thread at a
// time, which need not be the caller's. It may throw to stop.
using DecodingProgress = std::function<void(Index done, Index total)>;

// The n_best translations of each source, in the order of the sources. Sentences of similar length are
// translated together, the longest first. A translation does not depend on the rest of its batch. If there
// are at least as many sentences as threads, each thread translates batches alone, which are smaller than
// options.batch if need be: nothing waits, and the bits are the same. Only one thread of the program may call
// it at a time: all use one pool of threads (core/thread_pool.h).
//   sources   token ids without </s>, each at most longest_source (CHECK)
std::vector<Hypotheses> decode_all(const PreparedModel& prepared,
                                   const std::vector<std::vector<int>>& sources, const SearchOptions& options,
                                   const DecodingProgress& progress = {});

}  // namespace plainformer
