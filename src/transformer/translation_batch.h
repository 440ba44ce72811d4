// Paper: 3.1 Encoder and Decoder Stacks ("the output embeddings are offset by one position")
//
// The model's input, and the tokens that it should predict, for a batch of sentence pairs.
#pragma once

#include "transformer/token_batch.h"

namespace plainformer {

// The sentences, each with </s> at its end.
std::vector<std::vector<int>> with_end(std::vector<std::vector<int>> sentences);

struct TranslationBatch {
  TokenBatch source;         // the source's tokens and </s>
  TokenBatch target_input;   // <s> and the target's tokens
  TokenBatch target_output;  // the target's tokens and </s>: at each position the token to predict

  // sources[i] and targets[i] are a pair, without special symbols.
  static TranslationBatch from(const std::vector<std::vector<int>>& sources,
                               const std::vector<std::vector<int>>& targets);

  Index source_tokens() const;  // with </s>, without padding
  Index target_tokens() const;
};

}  // namespace plainformer
