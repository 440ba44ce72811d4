// A translation that is given: the log-probability that the model assigns to it, for `plainformer score`, and
// the weights of every head while the model reads it.
#pragma once

#include <vector>

#include "transformer/transformer.h"

namespace plainformer {

struct SequenceScore {
  double log_probability = 0;  // log P(target | source) in nats, </s> included
  Index tokens = 0;            // tokens of the target, </s> included
};

// Scores each pair by teacher forcing: at each position the decoder reads the target's own tokens. Pairs of
// similar length are computed together. A score does not depend on the rest of its batch.
//   sources[i], targets[i]   the token ids of a pair, without special symbols; each leaves room for one
std::vector<SequenceScore> score_sequences(const Transformer& model,
                                           const std::vector<std::vector<int>>& sources,
                                           const std::vector<std::vector<int>>& targets);

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
