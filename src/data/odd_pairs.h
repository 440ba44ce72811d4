// Looks at a text before a model learns from it: for suspicious pairs (repeated, copied, of very unequal
// length), and for signs that another program has tokenized the text or cut it into pieces.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/parallel_corpus.h"

namespace plainformer {

// Lengths are counted in characters, because some scripts do not separate words. They are scaled by the
// lengths of the whole text: if its targets are half as long as its sources, a target counts twice. A side
// may always be ten characters longer.
struct OddPairs {
  PairCount repeated;  // an earlier pair has the same words
  PairCount equal;     // source and target are the same words
  PairCount unequal;   // one side is more than four times as long as the other
  PairCount accents;   // an accent is a separate character, so its letter differs from a composed one

  // Files of at least 20 lines whose sides differ but are both in ascending order: each side was sorted by
  // itself, so that sentences have lost their translations.
  std::vector<std::string> sorted;
};

OddPairs odd_pairs_of(const ParallelCorpus& corpus);

// The validation pairs that are also in the training text, with the same words on both sides.
PairCount pairs_in_training(const ParallelCorpus& valid, const ParallelCorpus& train);

// The pairs with a word such as "lo@@" before another word, as byte pair encoding leaves them. None if they
// are fewer than a twentieth of all pairs, because a text may mention such pieces.
PairCount pairs_with_pieces(const ParallelCorpus& corpus);

// The words of a line, cut at blanks, that end in "@@". A model would take such a word for the beginning of a
// longer one, and join it with the next word or drop its "@@".
std::vector<std::string> words_ending_in_at_at(std::string_view line);

struct PlacedWord {
  std::string word;
  PairPlace place;  // the place of its pair
};
std::optional<PlacedWord> first_word_ending_in_at_at(const ParallelCorpus& corpus);

// True if most lines that end in a mark have a blank before it, as "Ein Mann schläft .", and false if most
// have none. nullopt if few lines end in a mark. Looks at the first 10,000 pairs.
std::optional<bool> looks_tokenized(const ParallelCorpus& corpus);

}  // namespace plainformer
