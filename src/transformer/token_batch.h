// Paper: 3.1 Encoder and Decoder Stacks ("the output embeddings are offset by one position")
//
// A batch of sentences as token ids, padded to the longest one; and a batch of sentence pairs: the model's
// input, and the tokens that it should predict.
#pragma once

#include <vector>

#include "core/real.h"
#include "core/special_symbols.h"

namespace plainformer {

struct TokenBatch {
  Index batch = 0, len = 0;
  std::vector<int> ids;        // [batch, len], row-major; kPadId beyond a sentence's end
  std::vector<Index> lengths;  // [batch]: tokens that are not padding

  // Pads the sentences to the length of the longest.
  static TokenBatch from(const std::vector<std::vector<int>>& sentences);
};

// The sentences, each with </s> at its end.
std::vector<std::vector<int>> with_end(std::vector<std::vector<int>> sentences);

struct TranslationBatch {
  TokenBatch source;         // the source's tokens and </s>
  TokenBatch target_input;   // <s> and the target's tokens
  TokenBatch target_output;  // the target's tokens and </s>: at each position the token to predict

  // sources[i] and targets[i] are a pair, without special symbols.
  static TranslationBatch from(const std::vector<std::vector<int>>& sources,
                               const std::vector<std::vector<int>>& targets);

  // The targets of the cross-entropy: the token of each position of target_output, row by row; kNoTarget for
  // padding, which does not count.    -> [batch * target_len]
  std::vector<int> targets() const;

  Index source_tokens() const;  // with </s>, without padding
  Index target_tokens() const;
};

}  // namespace plainformer
