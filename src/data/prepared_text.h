// Signs that a text was prepared for a model by another program: tokenized, or cut into pieces.
#pragma once

#include <optional>
#include <string>

#include "data/parallel_corpus.h"

namespace plainformer {

// The pairs with a word such as "lo@@" before another word. Byte pair encoding leaves them; where they are less than a
// twentieth of all pairs, there are none, because a text may speak of such pieces.
PairCount pairs_with_pieces(const ParallelCorpus& corpus);

// A word that ends in "@@", as a piece of byte pair encoding does that is not the last of its word.
struct WordLikeAPiece {
  std::string word;
  PairPlace place;  // of its pair
};

// The first of a text whose words end at blanks alone. A model could not tell it from a piece, so it would be joined with
// the next word, or lose its end.
std::optional<WordLikeAPiece> first_word_like_a_piece(const ParallelCorpus& corpus);

// Does a blank come before the last mark of a line, as in "Ein Mann schläft .", or none? What most lines have that end in a
// mark, of the first 10,000 pairs; neither where these lines are few.
enum class LastMarks { kDetached, kAttached, kFew };
LastMarks last_marks_of(const ParallelCorpus& corpus);

}  // namespace plainformer
