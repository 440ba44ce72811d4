// Validation text for a training text that has none: some of its pairs, which training then does not read.
#pragma once

#include <cstdint>
#include <string_view>

#include "data/parallel_corpus.h"

namespace plainformer {

// A hash of the words of a sentence, whatever white space is between them. Two other sentences share
// their key about once in 2^64 (FNV-1a, of Fowler, Noll and Vo, with the last step of SplitMix64, which
// spreads the bits).
std::uint64_t sentence_key(std::string_view sentence);

// The key of a pair whose sides have these keys.
std::uint64_t pair_key(std::uint64_t source, std::uint64_t target);

// A text of fewer pairs keeps all: a few sentences measure nothing, and a run on so little text is meant to
// learn them by heart.
inline constexpr Index kFewestToHoldOutOf = 50;

// A tenth of the pairs, but at most 1,000, and none of fewer than kFewestToHoldOutOf.
Index usual_held_out_pairs(Index pairs);

// Takes `count` pairs out of a corpus that has more, or fewer if fewer can be held out: neither sentence of a
// held-out pair occurs in another pair, because what training has read measures nothing. The choice depends
// only on the words of the pairs: not on a seed, so that runs of several seeds are compared on the same text,
// and hardly on pairs that are added later.
ParallelCorpus hold_out_pairs(ParallelCorpus& corpus, Index count);

}  // namespace plainformer
