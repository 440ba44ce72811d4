// Signs that a text was prepared for a model by another program: tokenized, or cut into pieces.
#pragma once

#include "data/parallel_corpus.h"

namespace plainformer {

// The pairs with a word such as "lo@@" before another word. Byte pair encoding leaves them; where they are less than a
// twentieth of all pairs, there are none, because a text may speak of such pieces.
PairCount pairs_with_pieces(const ParallelCorpus& corpus);

// Does a blank come before the last mark of a line, as in "Ein Mann schläft .", or none? What most lines have that end in a
// mark, of the first 10,000 pairs; neither where these lines are few.
enum class LastMarks { kDetached, kAttached, kFew };
LastMarks last_marks_of(const ParallelCorpus& corpus);

}  // namespace plainformer
