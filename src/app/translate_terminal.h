// Translation at a terminal: a prompt, and for each line what a person wants to see of its translations.
#pragma once

#include "decoding/search_options.h"
#include "model_folder/model_folder.h"

namespace plainformer {

struct TerminalView {
  bool scores = false;     // also log-probabilities and scores
  bool attention = false;  // also a map of where the translation looked
};

// True if standard input and standard output are both terminals.
bool is_at_terminal();

// Asks for lines until the input ends, and answers each one: the best translation or, if options.n_best is more than 1,
// a list of the best ones with their probabilities. Tells of every line what LineNotes tells.
void translate_at_terminal(LoadedModel& model, const SearchOptions& options, const TerminalView& view);

}  // namespace plainformer
