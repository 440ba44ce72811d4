// The merges of subword-nmt (learn-bpe), byte for byte, with counts that are kept up to date.
//
// Each merge changes few pairs, so only their counts change, and the search for the most frequent pair looks
// at frequent ones only. subword-nmt does both, and miscounts a little: it forgets rare pairs for a while,
// counts a symbol again if it arises in a second way, and sees symbol boundaries at white space such as U+00A0
// inside a word. So it sometimes picks another pair than an exact count would. This code picks that pair too.
// Lines and words still differ from subword-nmt: here a line ends at '\n' alone, the byte order mark is
// removed, and words of over 10,000 bytes are ignored.
#pragma once

#include "data/byte_pair_learner.h"

namespace plainformer::fast {

std::vector<Merge> learn_merges(const WordCounts& counts, Index merges,
                                const LearningProgress& progress = {});

}  // namespace plainformer::fast
