// What log.jsonl tells of a run. Its writer and its fields: app/training_log.h.
#pragma once

#include <string>
#include <vector>

#include "core/real.h"

namespace plainformer {

// In the order of the file. NaN stands for what is not in the log, or was not finite.
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

// As an untrusted file: input_error with file and line. A last line that does not end, of a run that is still
// writing it, is left out; a log in which nothing is left is an input_error.
TrainingHistory read_training_history(const std::string& path);

}  // namespace plainformer
