// The history of a run, read from log.jsonl. train/training_log.h writes that file and lists its fields.
#pragma once

#include <string>
#include <vector>

#include "core/real.h"

namespace plainformer {

// The log's values, in the order of the file. NaN stands for a value that the log lacks, or that was not finite.
struct TrainingHistory {
  struct Step {
    Index step;
    double loss, learning_rate;
  };
  struct Validation {
    Index step;
    double loss, bleu;
  };
  std::vector<Step> steps;              // without those that were skipped
  std::vector<Validation> validations;  // without that of the average
};

// Reads an untrusted file: input_error with file and line. A last line without an end is ignored, because a
// run may still be writing it. A log without any step is an input_error.
TrainingHistory read_training_history(const std::string& path);

}  // namespace plainformer
