#include "training/learning_rate.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"

namespace plainformer {

double LearningRateSchedule::at(Index step) const {
  CHECK(d_model >= 1 && step >= 1 && warmup_steps >= 1, "d_model ", d_model, ", step ", step, ", warmup ",
        warmup_steps);
  const auto s = static_cast<double>(step), warmup = static_cast<double>(warmup_steps);
  return scale * std::pow(static_cast<double>(d_model), -0.5) *
         std::min(std::pow(s, -0.5), s * std::pow(warmup, -1.5));
}

}  // namespace plainformer
