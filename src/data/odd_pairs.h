// Pairs of a text that are seldom meant: a look at the text before a model learns from it.
#pragma once

#include <string>
#include <vector>

#include "data/parallel_corpus.h"

namespace plainformer {

struct OddPairs {
  PairCount repeated;  // a pair of the same words stands before it
  PairCount equal;     // source and target are the same words
  PairCount unequal;   // one side is more than four times as long as the other
  PairCount
      accents;  // an accent is a character of its own, so that it makes other letters than a composed one

  // Files with both sides in the ascending order of their bytes, though the sides differ: each was sorted by itself, so
  // that no sentence stands opposite its translation any more. At least 20 lines say so.
  std::vector<std::string> sorted;

  // Lengths are counted in characters, because not every writing has words, and compared with those of the whole text:
  // where the targets are half as long as the sources, a target of the source's length counts twice. A side may
  // always be ten characters longer.
};

OddPairs odd_pairs_of(const ParallelCorpus& corpus);

// The validation pairs that training reads, too: the same words on both sides.
PairCount pairs_in_training(const ParallelCorpus& valid, const ParallelCorpus& train);

}  // namespace plainformer
