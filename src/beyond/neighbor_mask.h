// Paper: 4 Why Self-Attention (self-attention restricted to a neighborhood)
//
// Which keys a query of restricted self-attention may see: its r nearest neighbors and, beyond the paper, a
// few global positions at the start of the sequence. (Beltagy et al. 2020, "Longformer", use both.) The
// visible keys are at most two ranges, so no matrix of zeros and ones is needed.
#pragma once

#include <vector>

#include "core/real.h"

namespace plainformer {

// Keys 0 .. global - 1 and begin .. end - 1, in this order; global <= begin <= end.
struct NeighborKeys {
  Index global, begin, end;

  Index count() const { return global + end - begin; }
  Index operator[](Index s) const { return s < global ? s : begin + s - global; }
};

struct NeighborMask {
  std::vector<Index> key_lengths;  // [batch]: the positions that are not padding
  // r: the positions in the window, the query included. The window is centered on the query, so r is odd; if
  // `causal`, it ends at the query.
  Index neighbors = 1;
  bool causal = false;
  // The first positions see all positions, and all see them. (If `causal`, nobody sees a later position.)
  Index global = 0;

  Index batch() const { return static_cast<Index>(key_lengths.size()); }
  Index before() const { return causal ? neighbors - 1 : neighbors / 2; }  // neighbors on the left
  Index after() const { return causal ? 0 : neighbors / 2; }               // neighbors on the right

  // The keys that a query sees. The query is not a global position.
  NeighborKeys visible_keys(Index element, Index query) const;

  // How many keys each row of scores [batch, heads, len, global + neighbors] holds, in this order. The rows
  // of global positions hold none.
  std::vector<Index> visible_keys_of_scores(Index heads, Index len) const;
};

}  // namespace plainformer
