// The weights of every head for one sentence pair, read from the caches of a forward pass.
#pragma once

#include <vector>

#include "transformer/transformer.h"

namespace plainformer {

// The weights of each layer. Each length counts one special symbol.
struct AttentionWeights {
  std::vector<Tensor> encoder_self;     // [heads, source_len, source_len]
  std::vector<Tensor> decoder_self;     // [heads, target_len, target_len]
  std::vector<Tensor> encoder_decoder;  // [heads, target_len, source_len]
};

// Runs the pair through the model, with plain attention, because only that keeps its weights. input_error if
// the model overflows, so that a weight is not a number.
//   source, target   ids without special symbols; each leaves room for one
AttentionWeights capture_attention(const Transformer& model, const std::vector<int>& source,
                                   const std::vector<int>& target);

}  // namespace plainformer
