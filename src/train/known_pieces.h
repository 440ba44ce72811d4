// How much of a text a vocabulary knows that was made for another text.
#pragma once

#include <string>
#include <vector>

#include "data/parallel_corpus.h"

namespace plainformer {

struct KnownPieces {
  Index pieces = 0, unknown = 0;  // of both sides; an unknown piece is <unk> to the model
  std::vector<std::string>
      characters;  // of unknown pieces, that no piece of the vocabulary has, safe to print; the usual ones first

  // "96.4 % of 5213 pieces"
  std::string share() const;
  // ", and 2 characters were never seen: é, ß"; at most ten are named; empty for none
  std::string unseen() const;
};

KnownPieces known_pieces_of(const ParallelCorpus& text, BytePairEncoding& byte_pairs,
                            const Vocabulary& vocabulary);

// Prints one line on stderr: the share of the text's pieces that the vocabulary of a model has, and the characters
// that it has never seen. input_error if it lacks most of the pieces.
//   text    has at least one pair
//   model   its folder, for the line and the error
void check_known_pieces(const ParallelCorpus& text, const std::string& model, BytePairEncoding& byte_pairs,
                        const Vocabulary& vocabulary);

}  // namespace plainformer
