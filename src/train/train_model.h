// A training run from its settings to its model folder.
#pragma once

#include "train/corpora.h"
#include "train/train_settings.h"

namespace plainformer {

struct FinishedRun {
  int signal = 0;      // that stopped the training; 0 if it came to its end
  std::string folder;  // of its files: settings.out, or a folder in it while the model that it replaces stays
  bool made_a_step = false;
  bool made_all_steps = false, out_of_patience = false;
  Corpora corpora;
  EncodedCorpora encoded;
};

// Checks the settings, reads the text, and trains into the folder settings.out, or goes on with the run there.
// Reports on stderr.
FinishedRun train_model(const TrainSettings& settings);

}  // namespace plainformer
