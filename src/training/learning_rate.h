// Paper: 5.3 Optimizer, equation (3)
//
//   lrate = scale d_model^-0.5 min(step^-0.5, step warmup_steps^-1.5)
//
// The paper has no scale; it is 1 there.
#pragma once

#include "core/real.h"

namespace plainformer {

struct LearningRateSchedule {
  Index d_model = 0;  // of the model; must be set
  Index warmup_steps = 4000;
  double scale = 1;

  // Rises linearly for warmup_steps, then falls with the inverse square root of the step. Steps count from 1.
  double at(Index step) const;
};

}  // namespace plainformer
