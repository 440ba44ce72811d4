// Validation text for a training text that has none: some of its pairs, which training then does not read.
#pragma once

#include "data/parallel_corpus.h"

namespace plainformer {

// A text of fewer pairs keeps all: a few sentences measure nothing, and whoever trains on so little wants to see them
// learned by heart.
inline constexpr Index kFewestToHoldOutOf = 50;

// A tenth of the pairs, but at most 1,000, and none of fewer than kFewestToHoldOutOf.
Index usual_held_out_pairs(Index pairs);

// Takes `count` pairs out of a corpus that has more, or fewer if fewer can be held out: neither sentence of a held-out
// pair occurs in another pair, because what training has read measures nothing. The choice depends only on the
// words of the pairs: not on a seed, so that runs of several seeds are compared on the same text, and hardly on pairs
// that are added later.
ParallelCorpus hold_out_pairs(ParallelCorpus& corpus, Index count);

}  // namespace plainformer
