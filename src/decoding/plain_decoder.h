// The plain way to the next token: read the whole prefix again.
//
// Step t computes all t positions again, where the cached version (incremental_decoder) computes one: the
// version to read, and the one that the other is tested against.
#pragma once

#include "decoding/encoded_sources.h"

namespace plainformer {

// The logits of the token after each prefix.    -> [prefixes, 1, vocab]
//   prefixes    <s> and the tokens so far; all of the same length
//   sentences   [prefixes]: which of the encoded sources each one translates
Tensor next_logits(const Transformer& model, const EncodedSources& encoded,
                   const std::vector<std::vector<int>>& prefixes, std::span<const Index> sentences);

}  // namespace plainformer
