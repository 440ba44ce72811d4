// The report at the end of a run on the built-in grammar.
#pragma once

#include "model_folder/model_folder.h"
#include "train/corpora.h"

namespace plainformer {

// Translates the held-out sentences greedily. Prints ten translations (with the reference where it differs),
// one map of the encoder-decoder attention, exact match and BLEU to standard output.
void print_toy_report(const ModelFolder& folder, const std::vector<ToyPair>& test);

}  // namespace plainformer
