// The curves of one run, or of several in one chart, read from log.jsonl. train/training_log.h writes that
// file and lists its fields.
#pragma once

#include <string>
#include <vector>

#include "core/real.h"
#include "show/curve/line_chart.h"

namespace plainformer {

// The log's values, in the order of the file. A value that the log lacks, or that was not finite, is NaN.
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

struct NamedHistory {
  std::string name;
  TrainingHistory history;
};

// One chart has colors for this many runs.
inline constexpr Index kMostCurves = kPictureColors;

// Panels for the losses, BLEU (if there is any) and the learning rate, against steps. The training loss is
// drawn as at most 200 means, each of the same number of steps for all runs.
LineChart training_chart(const std::vector<NamedHistory>& runs);

}  // namespace plainformer
