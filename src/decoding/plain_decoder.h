// The next token, recomputing: read the whole prefix again.
//
// Step t computes all t positions again. cached_decoder computes only the newest one, and so does the fast
// way (fast/incremental_decoder). Read this version first: the tests compare the others with it.
#pragma once

#include "decoding/encoded_sources.h"

namespace plainformer {

// The logits of the token after each prefix.    -> [prefixes, 1, vocab]
//   prefixes    <s> and the tokens so far; all of the same length
//   sentences   [prefixes]: the index of the encoded source that each prefix translates
Tensor next_logits(const Transformer& model, const EncodedSources& encoded,
                   const std::vector<std::vector<int>>& prefixes, std::span<const Index> sentences);

}  // namespace plainformer
