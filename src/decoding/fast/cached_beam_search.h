// Paper: 6.1 Machine Translation (beam search)
//
// beam_search with cached keys and values: each step computes the newest position of the live hypotheses
// only.
#pragma once

#include "decoding/fast/decoder_weights.h"
#include "decoding/search_options.h"

namespace plainformer {

// What beam_search returns, up to rounding.
//   weights   the model's, prepared once for all its batches
std::vector<Hypotheses> cached_beam_search(const Transformer& model, const DecoderWeights& weights,
                                           const std::vector<std::vector<int>>& sources,
                                           const SearchOptions& options);

}  // namespace plainformer
