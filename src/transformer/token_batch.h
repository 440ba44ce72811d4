// Paper: 3.4 Embeddings and Softmax (the tokens that are embedded)
//
// Sentences of one batch, as numbers: a matrix padded to the longest.
#pragma once

#include <vector>

#include "core/real.h"

namespace plainformer {

// The special symbols, first in every vocabulary.
inline constexpr int kPadId = 0;      // <pad>: fills a row beyond its sentence
inline constexpr int kStartId = 1;    // <s>: what the decoder reads first
inline constexpr int kEndId = 2;      // </s>: ends each sentence
inline constexpr int kUnknownId = 3;  // <unk>: a token that the vocabulary lacks

struct TokenBatch {
  Index batch = 0, len = 0;
  std::vector<int> ids;        // [batch, len], row-major; kPadId beyond a sentence's end
  std::vector<Index> lengths;  // [batch]: tokens that are not padding

  // Pads the sentences to the longest.
  static TokenBatch from(const std::vector<std::vector<int>>& sentences);
};

}  // namespace plainformer
