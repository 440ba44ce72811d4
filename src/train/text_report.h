// Lines on stderr about the text of a training run.
#pragma once

#include <string>

#include "train/corpora.h"

namespace plainformer {

// "training text: 2 pairs are left out because one side is empty (first: train.en:4, 17)"; nothing for no
// pairs.
void warn_of_left_out(const std::string& name, const PairCount& left_out, const std::string& reason);

// std::runtime_error, which names file and line, if words end at blanks alone and one of them cannot come
// back from the model, because it ends as a piece of byte pair encoding does.
void require_whole_words(const Settings& settings, const Corpora& corpora);

// Prints a line about the pairs that are held out for validation, or about the lack of validation text; and a
// line for each kind of suspicious pair in the files. Prints nothing about the built-in grammar and about
// trees.
void report_text(const Settings& settings, const Corpora& corpora);

// Prints the share of the text's pieces that the vocabulary of a model has, which was made for another text,
// and the characters that it has never seen. input_error if it lacks most of the pieces.
//   text    has at least one pair
//   model   its folder, for the line and the error
void check_known_pieces(const ParallelCorpus& text, const std::string& model, BytePairEncoding& byte_pairs,
                        const Vocabulary& vocabulary);

}  // namespace plainformer
