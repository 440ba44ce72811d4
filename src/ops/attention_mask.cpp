#include "ops/attention_mask.h"

#include <algorithm>

#include "core/check.h"

namespace plainformer {

Index AttentionMask::visible_keys(Index element, Index query) const {
  const Index unpadded = key_lengths[element];
  return causal ? std::min(unpadded, query + 1) : unpadded;
}

std::vector<Index> AttentionMask::visible_keys_of_scores(Index heads, Index query_len, Index key_len) const {
  std::vector<Index> counts;
  counts.reserve(batch() * heads * query_len);
  for (Index element = 0; element < batch(); ++element) {
    CHECK(key_lengths[element] >= 0 && key_lengths[element] <= key_len, "key length ", key_lengths[element],
          " of ", key_len);
    for (Index head = 0; head < heads; ++head) {
      for (Index query = 0; query < query_len; ++query) counts.push_back(visible_keys(element, query));
    }
  }
  return counts;
}

std::string AttentionMask::to_string(Index element, Index query_len, Index key_len) const {
  std::string text;
  for (Index query = 0; query < query_len; ++query) {
    const Index count = visible_keys(element, query);
    text += std::string(count, '1') + std::string(key_len - count, '.') + '\n';
  }
  return text;
}

}  // namespace plainformer
