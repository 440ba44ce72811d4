// Paper: 3.1 Encoder and Decoder Stacks ("the output embeddings are offset by one position")
//
// What the model reads and should predict, for a batch of sentence pairs.
#pragma once

#include "transformer/token_batch.h"

namespace plainformer {

struct TranslationBatch {
  TokenBatch source;         // the source's tokens and </s>
  TokenBatch target_input;   // <s> and the target's tokens
  TokenBatch target_output;  // the target's tokens and </s>: at each position the token after target_input's

  // sources[i] and targets[i] are a pair, without special symbols.
  static TranslationBatch from(const std::vector<std::vector<int>>& sources,
                               const std::vector<std::vector<int>>& targets);

  Index source_tokens() const;  // without padding, </s> included
  Index target_tokens() const;
};

}  // namespace plainformer
