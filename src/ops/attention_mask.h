// Paper: 3.2.3 Applications of Attention in our Model
//
// Which keys a query may see. A mask is not a matrix of zeros and ones: padding hides a suffix of the keys,
// and causality hides the future, so the visible keys are always a prefix, and their number is enough.
#pragma once

#include <string>
#include <vector>

#include "core/real.h"

namespace plainformer {

struct AttentionMask {
  std::vector<Index> key_lengths;  // [batch]: the keys that are not padding
  bool causal = false;             // query i sees no key beyond i: "prevent leftward information flow"

  Index batch() const { return static_cast<Index>(key_lengths.size()); }

  // The number of keys, from the first on, that this query of this batch element sees; 0 if all are masked.
  Index visible_keys(Index element, Index query) const;

  // visible_keys for every row of scores [batch, heads, query_len, key_len], in this order.
  std::vector<Index> visible_keys_of_scores(Index heads, Index query_len, Index key_len) const;

  // One element's mask as a matrix: a line for each query, '1' for a visible key and '.' for a masked one.
  std::string to_string(Index element, Index query_len, Index key_len) const;
};

}  // namespace plainformer
