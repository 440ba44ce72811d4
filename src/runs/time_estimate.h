// The time that a training run will take, estimated from its first steps.
#pragma once

#include <optional>
#include <string>

#include "runs/train_settings.h"

namespace plainformer {

// The steps of a run so far.
struct Pace {
  Index made = 0;      // by this run: fewer than `steps` if it was resumed
  Index steps = 0;     // of the model
  double seconds = 0;  // that the run has taken
};

// "time: about 14 minutes on this machine for 10000 steps, and more for validations"; where --minutes ends the run
// sooner, also at which step that will be, with a hint if the learning rate will not have reached its peak (5.3).
// Empty if the rest takes seconds. nullopt if the pace is of too few steps: ask again after the next one.
std::optional<std::string> describe_time(const TrainSettings& settings, const Pace& pace);

}  // namespace plainformer
