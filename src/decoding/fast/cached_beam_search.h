// Paper: 6.1 Machine Translation (beam search)
//
// The fast beam search, which keeps keys and values: each step computes only the newest position of the live
// hypotheses.
#pragma once

#include "decoding/fast/decoder_weights.h"
#include "decoding/search_options.h"

namespace plainformer {

// Returns the translations of beam_search, up to rounding.
//   weights   of this model, prepared once for all batches
std::vector<Hypotheses> cached_beam_search(const Transformer& model, const DecoderWeights& weights,
                                           const std::vector<std::vector<int>>& sources,
                                           const SearchOptions& options);

}  // namespace plainformer
