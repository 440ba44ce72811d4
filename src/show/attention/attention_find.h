// plainformer attention --find: which head links two words, counted over many sentence pairs.
#pragma once

#include "show/attention/attention_settings.h"

namespace plainformer {

// Counts in the pairs that the settings name, and prints the tables. std::runtime_error if the two words meet
// in none of them.
void print_links(LoadedModel& model, const AttentionSettings& settings);

}  // namespace plainformer
