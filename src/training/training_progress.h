// The progress of a training run. A checkpoint holds it, the weights and Adam's state.
#pragma once

#include <optional>

#include "core/real.h"

namespace plainformer {

struct TrainingProgress {
  Index epoch = 0;                  // complete passes over the data
  Index batch = 0;                  // batches of this epoch already used
  Index attempts = 0;               // steps begun, skipped ones included; each has its own dropout masks
  double best_loss = 0;             // of the best validation so far; meaningless before the first one
  Index best_step = 0;              // its step; 0: no validation so far
  std::optional<double> best_bleu;  // its BLEU, in a run that compares validations by BLEU
};

}  // namespace plainformer
