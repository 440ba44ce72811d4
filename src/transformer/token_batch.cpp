#include "transformer/token_batch.h"

#include <algorithm>

#include "core/special_symbols.h"

namespace plainformer {

TokenBatch TokenBatch::from(const std::vector<std::vector<int>>& sentences) {
  TokenBatch tokens;
  tokens.batch = static_cast<Index>(sentences.size());
  for (const auto& sentence : sentences) {
    tokens.lengths.push_back(static_cast<Index>(sentence.size()));
    tokens.len = std::max(tokens.len, tokens.lengths.back());
  }
  tokens.ids.assign(tokens.batch * tokens.len, kPadId);
  for (Index element = 0; element < tokens.batch; ++element) {
    std::copy(sentences[element].begin(), sentences[element].end(),
              tokens.ids.begin() + element * tokens.len);
  }
  return tokens;
}

}  // namespace plainformer
