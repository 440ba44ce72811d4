// New words in known pieces. Byte pair encoding joins letters of a new word to a piece that the training text never
// needed: where "sleeping" and "sleeps" became whole words, the vocabulary has both, but no "sleep@@". The model would
// read <unk>, although it knows each letter.
#pragma once

#include <string>
#include <vector>

#include "data/vocabulary.h"

namespace plainformer {

// The pieces, each one that the vocabulary lacks cut into pieces that it has. Of all ways to cut it, this takes one that
// leaves the fewest characters unknown, and of these one with the fewest pieces; of equal ones the one whose last pieces
// are the longest, from right to left. A character that the vocabulary lacks there becomes a piece of its own, unknown as
// before. No piece of more than 128 bytes is tried, so that the time is linear in the length of the piece.
std::vector<std::string> cut_unknown_pieces(std::vector<std::string> pieces, const Vocabulary& vocabulary);

}  // namespace plainformer
