// A training run from its settings to its model folder.
#pragma once

#include <vector>

#include "data/toy/toy_grammar.h"
#include "train/settings.h"

namespace plainformer {

struct FinishedRun {
  int signal = 0;  // that stopped the training; 0 if it came to its end
  bool made_all_steps = false, out_of_patience = false;
  std::vector<ToyPair> test;  // held-out pairs of the built-in grammar; empty for other text
};

// Checks the settings, reads the text, and trains into the folder settings.out, or goes on with the run
// there. Reports on stderr.
FinishedRun train_model(const Settings& settings);

}  // namespace plainformer
