// A look at a text before a model learns from it: suspicious pairs (repeated, copied, of very unequal
// length), and signs that another program has tokenized the text or cut it into pieces.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/parallel_corpus.h"

namespace plainformer {

// Lengths are counted in characters, because not every writing has words, and compared with those of the
// whole text: where the targets are half as long as the sources, a target of the source's length counts
// twice. A side may always be ten characters longer.
struct OddPairs {
  PairCount repeated;  // an earlier pair has the same words
  PairCount equal;     // source and target are the same words
  PairCount unequal;   // one side is more than four times as long as the other
  PairCount accents;   // an accent is a separate character, which makes other letters than composed ones

  // Files of at least 20 lines with both sides in ascending order, though the sides differ: each was sorted
  // by itself, so that no sentence is opposite its translation.
  std::vector<std::string> sorted;
};

OddPairs odd_pairs_of(const ParallelCorpus& corpus);

// The validation pairs that training reads, too: the same words on both sides.
PairCount pairs_in_training(const ParallelCorpus& valid, const ParallelCorpus& train);

// The pairs with a word such as "lo@@" before another word, as byte pair encoding leaves them. None where
// they are less than a twentieth of all pairs, because a text may speak of such pieces.
PairCount pairs_with_pieces(const ParallelCorpus& corpus);

// The words of a line, which end at blanks alone, that end in "@@". A model could not tell them from a piece
// that is not the last of its word, so they would be joined with the next word, or lose their end.
std::vector<std::string> words_ending_in_at_at(std::string_view line);

struct PlacedWord {
  std::string word;
  PairPlace place;  // the place of its pair
};
std::optional<PlacedWord> first_word_ending_in_at_at(const ParallelCorpus& corpus);

// True if a blank comes before the last mark of most lines that end in a mark, as in "Ein Mann schläft .";
// false if none does. Looks at the first 10,000 pairs; nullopt where few lines end in a mark.
std::optional<bool> looks_tokenized(const ParallelCorpus& corpus);

}  // namespace plainformer
