#include "beyond/neighbor_mask.h"

#include <algorithm>

namespace plainformer {

NeighborKeys NeighborMask::visible_keys(Index element, Index query) const {
  const Index unpadded = key_lengths[element], seen_by_all = std::min(global, unpadded);
  return {.global = seen_by_all,
          .begin = std::clamp(query - before(), seen_by_all, unpadded),
          .end = std::min(query + after() + 1, unpadded)};
}

std::vector<Index> NeighborMask::visible_keys_of_scores(Index heads, Index len) const {
  std::vector<Index> counts;
  counts.reserve(batch() * heads * len);
  for (Index element = 0; element < batch(); ++element)
    for (Index head = 0; head < heads; ++head)
      for (Index query = 0; query < len; ++query)
        counts.push_back(query < global ? 0 : visible_keys(element, query).count());
  return counts;
}

}  // namespace plainformer
