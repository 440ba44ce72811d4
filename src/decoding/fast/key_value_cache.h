// The keys and values of the decoder's self-attention, kept for all earlier positions of the live hypotheses.
//
// The hypotheses of a sentence share their beginnings: they are paths in a tree, with one node for each
// appended token. The cache holds the nodes; a hypothesis is the list of its nodes. So when a beam is
// reordered, only lists are copied and no key moves. When a sentence's room is full, the nodes that lie on no
// path are removed. If that leaves less than half of the room free, it doubles. So its size stays
// proportional to the number of live nodes.
#pragma once

#include <span>
#include <vector>

#include "decoding/beam_search.h"
#include "ops/fast/cached_attention.h"

namespace plainformer {

class KeyValueCache {
 public:
  KeyValueCache(Index layers, Index sentences, Index key_width, Index value_width);

  // Replaces the live hypotheses by grown ones, in ascending order of sentences. A sentence without any
  // releases its memory.
  void extend(std::span<const GrownHypothesis> hypotheses);

  // Stores the keys and values of one layer at the newest position of each live hypothesis.
  //   k [rows, 1, heads * d_k], v [rows, 1, heads * d_v]: a row for each live hypothesis
  void store(Index layer, const Tensor& k, const Tensor& v);

  // The keys and values of one layer, for the queries of the live hypotheses, and the positions that each
  // query sees. Call them after `store`. Valid until the next `extend`.
  std::vector<QueryGroup> groups(Index layer) const;
  std::vector<VisiblePositions> paths() const { return {paths_.begin(), paths_.end()}; }

  Index rows() const { return static_cast<Index>(paths_.size()); }

 private:
  struct Tree {
    Index first_row = 0, rows = 0;     // its live hypotheses
    Index nodes = 0, capacity = 0;     // nodes in use, and the room for nodes
    std::vector<Tensor> keys, values;  // by layer: [heads * d_k, capacity] and [capacity, heads * d_v]
  };
  std::span<std::vector<Index>> paths_of(const Tree& tree);
  void make_room(Tree& tree);

  Index layers_, key_width_, value_width_;  // widths: heads * d_k, heads * d_v
  std::vector<Tree> trees_;                 // by sentence
  std::vector<std::vector<Index>> paths_;   // by row: the nodes of a live hypothesis, ascending
};

}  // namespace plainformer
