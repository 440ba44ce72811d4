// Sentences of one batch, as numbers: a matrix padded to the longest.
#pragma once

#include <vector>

#include "core/real.h"

namespace plainformer {

inline constexpr int kPadId = 0;  // <pad>, the first of the special symbols

struct TokenBatch {
  Index batch = 0, len = 0;
  std::vector<int> ids;        // [batch, len], row-major; kPadId beyond a sentence's end
  std::vector<Index> lengths;  // [batch]: tokens that are not padding

  // Pads the sentences to the longest.
  static TokenBatch from(const std::vector<std::vector<int>>& sentences);
};

}  // namespace plainformer
