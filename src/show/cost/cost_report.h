// Paper: 4 Why Self-Attention (the work of each part) and 6.1 Machine Translation (Table 2, the training
// cost)
//
// The account of a training step as tables.
#pragma once

#include <string>

#include "train/training_cost.h"

namespace plainformer {

struct CostReport {
  std::string name;  // the preset's: "base"
  ModelConfig config;
  BatchShape batch;
  bool recompute = false;
  Index steps = 1;                 // of the whole training
  double operations_a_second = 0;  // of this machine, at its peak

  TrainingCost cost() const {
    return training_cost(config, batch, TrainingMethod::in_use(config.vocab, recompute));
  }
  TrainingMemory memory(bool recomputed) const;
};

// One training step that ran.
struct MeasuredStep {
  double peak_bytes = 0;  // the bytes of tensors, at the fullest moment
  double seconds = 0;
};

// The account; the step that ran is another text, because it comes later.
std::string to_text(const CostReport& report);
std::string to_text(const CostReport& report, const MeasuredStep& step);

}  // namespace plainformer
