// Greedy decoding of any encoder and decoder, recomputing.
//
// Every step computes all positions of all sentences again, so it asks nothing of a model but its two functions. It finds
// the translations of decoding/greedy_search.h, which keeps keys and values.
#pragma once

#include <functional>
#include <vector>

#include "core/parameter.h"
#include "transformer/token_batch.h"

namespace plainformer {

struct EncoderDecoder {
  // [batch, source_len] -> memory [batch, source_len, d]
  std::function<Tensor(const TokenBatch& source)> encode;
  // [batch, target_len] -> [batch, target_len, d_model]
  std::function<Tensor(const TokenBatch& target_input, const Tensor& memory,
                       const std::vector<Index>& source_lengths)>
      decode;
  const Parameter& embedding;  // [vocab, d_model], of the output projection
};

// The translations of the sources, as token ids without special symbols. At extra_length tokens more than the source has,
// a translation ends. Throws std::runtime_error if a logit is not a number.
std::vector<std::vector<int>> repeated_greedy_search(const EncoderDecoder& model,
                                                     const std::vector<std::vector<int>>& sources,
                                                     Index extra_length);

}  // namespace plainformer
