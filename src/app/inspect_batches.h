// The contents of the batches of a training run, and how much of them is padding.
#pragma once

#include <string>

#include "model_folder/model_folder.h"

namespace plainformer {

struct BatchInspection {
  std::string source, target;                                        // text files, line i to line i
  Index batch_tokens = 4096, max_tokens = 256, seed = 1, epoch = 0;  // defaults of 'plainformer train'
  Index batches = 10;                                                // rows of the table
  Index batch = 0;  // the one whose tokens are shown, from 1; 0: none

  bool operator==(const BatchInspection&) const = default;

  // Throws input_error that names the option and its range, and UsageError if one of the files is not given.
  void check() const;
};

// Makes the batches of one epoch with the model's byte pairs and vocabulary, and prints a table of the first,
// the sum of all, and the tokens of one if asked for.
void print_batches(LoadedModel& model, const BatchInspection& inspection);

}  // namespace plainformer
