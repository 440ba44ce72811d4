// Paper: 3.4 Embeddings and Softmax (the tokens that are embedded)
//
// The sentences of one batch as token ids: a matrix, padded to the longest sentence.
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

}  // namespace plainformer
