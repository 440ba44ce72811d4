// How far a training run has come. With the weights and Adam's state, this is all that a checkpoint holds.
#pragma once

#include "core/real.h"

namespace plainformer {

struct TrainingProgress {
  Index epoch = 0;       // complete passes over the data
  Index batch = 0;       // batches of this epoch already used
  Index attempts = 0;    // steps begun, skipped ones included; each draws dropout masks of its own
  double best_loss = 0;  // the lowest validation loss so far; meaningless before the first validation
  Index best_step = 0;   // the step that reached it; 0: no validation so far
};

}  // namespace plainformer
