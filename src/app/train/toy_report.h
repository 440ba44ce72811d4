// The report at the end of a run on the built-in grammar.
#pragma once

#include "app/model_folder/model_folder.h"
#include "app/train/corpora.h"

namespace plainformer {

// Translates the held-out sentences (greedy) and prints exact match, BLEU, ten translations beside their
// references, and one encoder-decoder attention map, to standard output.
void print_toy_report(const ModelFolder& folder, const std::vector<ToyPair>& test);

}  // namespace plainformer
