// Looks at a text before a model learns from it: for pairs that are seldom meant, and for signs that another
// program has tokenized the text or cut it into pieces.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/parallel_corpus.h"

namespace plainformer {

// Pairs of one kind that is seldom meant.
struct Finding {
  std::string kind;    // "that repeat an earlier one"
  std::string advice;  // what to do
  PairCount pairs = {};
  std::string example = {};  // the first pair, its sides with a tab between them
};

// All findings in a text, none in a sound one. A kind needs one pair in a thousand (pieces one in twenty,
// quotes all), unless it is a fault of a whole file.
std::vector<Finding> findings_in(const ParallelCorpus& corpus);

// Validation pairs that measure memory: those that are in the training text with the same words on both
// sides, and those whose source is there, in whatever case, with another translation.
std::vector<Finding> findings_in_validation(const ParallelCorpus& valid, const ParallelCorpus& train);

// The line, from 1, at which two texts of unequal length part: at best, the lines before it belong together,
// and those after it if the longer text loses its surplus there. Compares lengths and digits.
Index line_where_texts_part(const std::vector<std::string>& source, const std::vector<std::string>& target);

// The words of a line, cut at blanks, that end in "@@". A model would take such a word for the beginning of a
// longer one, and join it with the next word or drop its "@@".
std::vector<std::string> words_ending_in_at_at(std::string_view line);

// True if most lines that end in a mark have a blank before it, as "Ein Mann schläft .", and false if most
// have none. nullopt if few lines end in a mark. Looks at the first 10,000 pairs.
std::optional<bool> looks_tokenized(const ParallelCorpus& corpus);

}  // namespace plainformer
