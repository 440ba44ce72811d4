// What a run on the built-in grammar ends with.
#pragma once

#include "app/model_folder/model_folder.h"
#include "app/train/training_data.h"

namespace plainformer {

// Translates the held-out sentences (greedy) and prints exact match, BLEU, ten translations beside their
// references, and one encoder-decoder attention map, to standard output.
void print_toy_report(const ModelFolder& folder, const std::vector<ToyPair>& test);

}  // namespace plainformer
