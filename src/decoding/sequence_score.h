// How probable the model finds a given translation: `plainformer score`.
#pragma once

#include "transformer/transformer.h"

namespace plainformer {

struct SequenceScore {
  double log_probability = 0;  // log P(target | source) in nats, </s> included
  Index tokens = 0;            // tokens of the target, </s> included
};

// Teacher-forced: at each position the decoder reads the target's own tokens. Sentences are computed in
// batches of similar length; what is in the rest of a batch changes nothing.
//   sources[i], targets[i]   a pair of token ids without special symbols; std::runtime_error that names the
//                            pair's number, from 1, if either is longer than the model reads
std::vector<SequenceScore> score_sequences(const Transformer& model,
                                           const std::vector<std::vector<int>>& sources,
                                           const std::vector<std::vector<int>>& targets);

}  // namespace plainformer
