// The built-in treebank: generated English sentences and their trees, with the Penn Treebank's labels. The
// words of a sentence decide its tree, but often only together:
//
//   opens [the door] with the key       one opens with a key
//   opens [the door with the handle]    a door has a handle
//
//   [the cat sees the dog and the man] and [the king sleeps]    sleeps: one king
//   [the cat sees the dog] and [the man and the king sleep]     sleep: two of them
//
// Clauses are nested to any depth ("the cat that the dog that sleeps sees").
#pragma once

#include <cstdint>
#include <vector>

#include "core/random.h"
#include "parsing/tree.h"

namespace plainformer {

// The depth to which clauses (S) are nested: 1 for "the cat sleeps .".
Index clause_depth(const Tree& tree);

// One sentence of clause depth 1 to `max_depth`.
Tree random_tree(Random& random, Index max_depth);

struct Treebank {
  std::vector<Tree> train, valid, test;  // trees of clause depth 1 to kTrainedDepth
  std::vector<Tree> deeper;              // trees of clause depth kTrainedDepth + 1 and + 2
};

inline constexpr Index kTrainedDepth = 3;

// All sentences are distinct and have at most kMaxTreebankWords words. A pure function of its arguments, the
// same on every platform.
//
//   held_out   the number of trees in each of valid, test and deeper
//
// Contract: at most kMaxTreebankTrees trees in all; else std::logic_error.
Treebank generate_treebank(std::uint64_t seed, Index train, Index held_out);

inline constexpr Index kMaxTreebankWords = 40;
inline constexpr Index kMaxTreebankTrees = 1'000'000;

}  // namespace plainformer
