// Lines on stderr about the text of a training run.
#pragma once

#include <string>

#include "train/corpora.h"

namespace plainformer {

// "training text: 2 pairs are left out because one side is empty (first: train.en:4, 17)"; nothing for no pairs.
void warn_of_left_out(const std::string& name, const PairCount& left_out, const std::string& reason);

// std::runtime_error, which names file and line, if words end at blanks alone and one of them cannot come back from the
// model, because it ends as a piece of byte pair encoding does.
void require_whole_words(const TrainSettings& settings, const Corpora& corpora);

// A line about the pairs that are held out for validation, or about the lack of validation text; and a line for each
// kind of pair in the files that is seldom meant. Nothing about the built-in grammar and about trees.
void report_text(const TrainSettings& settings, const Corpora& corpora);

}  // namespace plainformer
