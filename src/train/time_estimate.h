// The time that a training run will take, estimated from its first steps and validations.
#pragma once

#include <optional>
#include <string>

#include "train/train_settings.h"

namespace plainformer {

// The steps and validations of a run so far.
struct Pace {
  Index made = 0;           // steps of this run: fewer than `steps` if it was resumed
  Index steps = 0;          // of the model
  double seconds = 0;       // that the run has taken for its steps
  Index validations = 0;    // of this run
  double a_validation = 0;  // seconds of the latest one; before the first, a guess
};

struct TimeEstimate {
  double seconds = 0;  // of all steps and validations, even where --minutes ends the run sooner
  // "time: about 14 minutes on this machine for 10000 steps and 20 validations"; where --minutes ends the run sooner,
  // "time: --minutes 5 will end the training at about step 3000 of 10000", with a hint if the learning rate will not have
  // reached its peak (5.3). Empty if the rest takes seconds.
  std::string text;

  // Whether it is worth telling after another one: more than a quarter off. 0: there was none.
  bool corrects(double earlier_seconds) const;
};

// nullopt if the pace is of too few steps: ask again after the next one.
std::optional<TimeEstimate> estimate_time(const TrainSettings& settings, const Pace& pace);

}  // namespace plainformer
