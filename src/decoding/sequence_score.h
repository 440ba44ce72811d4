// The log-probability that the model assigns to a translation, for `plainformer score`.
#pragma once

#include "transformer/transformer.h"

namespace plainformer {

struct SequenceScore {
  double log_probability = 0;  // log P(target | source) in nats, </s> included
  Index tokens = 0;            // tokens of the target, </s> included
};

// Scores each pair by teacher forcing: at each position the decoder reads the target's own tokens. Pairs of
// similar length are computed together. A score does not depend on the rest of its batch.
//   sources[i], targets[i]   the token ids of a pair, without special symbols; std::runtime_error, which
//                            names the pair's number, from 1, if either is longer than the model reads
std::vector<SequenceScore> score_sequences(const Transformer& model,
                                           const std::vector<std::vector<int>>& sources,
                                           const std::vector<std::vector<int>>& targets);

}  // namespace plainformer
