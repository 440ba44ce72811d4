#include "training/training_options.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/input_error.h"
#include "core/number_text.h"
#include "transformer/dropout_state.h"

namespace plainformer {

double LearningRateSchedule::at(Index step) const {
  CHECK(d_model >= 1 && step >= 1 && warmup_steps >= 1, "d_model ", d_model, ", step ", step, ", warmup ",
        warmup_steps);
  const auto s = static_cast<double>(step), warmup = static_cast<double>(warmup_steps);
  return scale * std::pow(static_cast<double>(d_model), -0.5) *
         std::min(std::pow(s, -0.5), s * std::pow(warmup, -1.5));
}

void TrainingOptions::check(const std::string& prefix) const {
  const auto require = [&](bool holds, const char* name, double value, const char* hint) {
    if (!holds) throw input_error(prefix + name, shortest_text(value) + " is out of range", hint);
  };
  // A training step computes in Real, where 0.99999999 may be 1. There Adam's v is 0 below 1e-38, and so its
  // root below 1e-19: a smaller epsilon would divide by nearly nothing.
  require(dropout >= 0 && static_cast<Real>(dropout) < 1, "dropout", dropout, kChooseBelowOne);
  require_below_one(prefix + "label-smoothing", label_smoothing);
  require_at_least(prefix + "warmup", learning_rate.warmup_steps, 1);
  require(learning_rate.scale > 0 && std::isfinite(learning_rate.scale), "learning-rate-scale",
          learning_rate.scale, "the paper's is 1");
  require(adam.beta_1 >= 0 && adam.beta_1 < 1, "adam-beta1", adam.beta_1, "the paper's is 0.9");
  require(adam.beta_2 >= 0 && adam.beta_2 < 1, "adam-beta2", adam.beta_2, "the paper's is 0.98");
  require(adam.epsilon >= 1e-18 && adam.epsilon < 1, "adam-epsilon", adam.epsilon, "the paper's is 1e-9");
  require(clip_norm >= 0 && std::isfinite(clip_norm), "clip-norm", clip_norm, "0 means never; 1 is usual");
  require_between(prefix + "accumulate", accumulate, 1, DropoutState::kMostBatches);
}

}  // namespace plainformer
