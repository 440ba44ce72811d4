// The keys and values of the decoder's self-attention, kept for all positions that live hypotheses have
// passed.
//
// The hypotheses of a sentence share their beginnings: they are paths in a tree, one node for each token that
// was appended. The cache holds the nodes; a hypothesis is the list of its nodes. So when a beam is
// reordered, only lists are copied and no key moves. When a sentence's room is full, nodes that lie on no
// path any more are swept out; the room doubles if that leaves less than half of it free, so its size stays
// proportional to what is alive.
#pragma once

#include <span>
#include <vector>

#include "ops/fast/cached_attention.h"

namespace plainformer {

// A live hypothesis, as one step from the last: one of the former hypotheses and one more token.
struct Extension {
  Index sentence;
  Index parent;  // the number of the former hypothesis it continues; kNoParent at the first step
  int token;
};
inline constexpr Index kNoParent = -1;

class KeyValueCache {
 public:
  KeyValueCache(Index layers, Index sentences, Index d_model);

  // Replaces the live hypotheses by extended ones, the sentences in ascending order. Sentences without any
  // give back their memory.
  void extend(std::span<const Extension> hypotheses);

  // The keys and values of one layer at the newest position of each live hypothesis.
  //   k, v [rows, 1, d_model]: a row for each live hypothesis
  void store(Index layer, const Tensor& k, const Tensor& v);

  // What the live hypotheses' queries may look at in one layer, once its newest position is stored. Valid
  // until the next extend.
  std::vector<QueryGroup> groups(Index layer) const;
  std::vector<VisiblePositions> paths() const { return {paths_.begin(), paths_.end()}; }

  Index rows() const { return static_cast<Index>(paths_.size()); }
  Index room(Index sentence) const { return trees_[sentence].capacity; }  // nodes

 private:
  struct Tree {
    Index first_row = 0, rows = 0;     // its live hypotheses
    Index nodes = 0, capacity = 0;     // in use; with room
    std::vector<Tensor> keys, values;  // by layer: [d_model, capacity] and [capacity, d_model]
  };
  std::span<std::vector<Index>> paths_of(const Tree& tree);
  void make_room(Tree& tree);
  void move_nodes(Tree& tree, const std::vector<Index>& kept, Index capacity) const;

  Index layers_, d_model_;
  std::vector<Tree> trees_;                // by sentence
  std::vector<std::vector<Index>> paths_;  // by row: the nodes of a live hypothesis, ascending
};

}  // namespace plainformer
