// plainformer inspect --preset, and --cost: the account of a training step, before anything is trained.
#pragma once

#include <string>

#include "command_line/command_line.h"
#include "runs/train_settings.h"

namespace plainformer {

struct CostInspection {
  TrainSettings preset;  // its model, batch_tokens and steps
  bool cost = false;     // --cost: of the model in a folder
  Index vocab = 0;       // 0: as many entries as the preset has merges
  Index sentences = 0;   // 0: as many as fill a batch
  Index source_length = 25, target_length = 25;
  bool recompute = false, run = false, json = false;
  Index threads = 0;
  std::string plain;

  void add_options(CommandLine& line);

  // After the arguments are read: is it this that they ask for? UsageError if they contradict each other.
  //   folder   the value of --model, or ""
  bool asked_for(const CommandLine& line, const std::string& folder) const;
};

// Prints the account. `folder` is a model folder, or "" for a model of the options.
void print_cost(const CostInspection& inspection, const std::string& folder);

}  // namespace plainformer
