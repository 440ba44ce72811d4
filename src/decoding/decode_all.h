// Translating many sentences: what `plainformer translate` calls.
#pragma once

#include <functional>

#include "decoding/fast/decoder_weights.h"
#include "decoding/search_options.h"
#include "transformer/transformer.h"

namespace plainformer {

// Called after each batch, with how many of how many sentences are translated. It may throw to stop.
using DecodingProgress = std::function<void(Index done, Index total)>;

// The n_best translations of each source, in the order of the sources. Sentences of similar length are
// translated together, the longest first; what is in the rest of a batch changes nothing.
//   sources   token ids without </s>; std::runtime_error that names the sentence's number, from 1, if one is
//             longer than longest_source
std::vector<Hypotheses> decode_all(const Transformer& model, const std::vector<std::vector<int>>& sources,
                                   const SearchOptions& options, const DecodingProgress& progress = {});

// The same with weights that were prepared before, for those who come again and again.
std::vector<Hypotheses> decode_all(const Transformer& model, const DecoderWeights& weights,
                                   const std::vector<std::vector<int>>& sources, const SearchOptions& options,
                                   const DecodingProgress& progress = {});

}  // namespace plainformer
