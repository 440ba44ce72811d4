#include "training/training_options.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/input_error.h"

namespace plainformer {

double LearningRateSchedule::at(Index step) const {
  CHECK(d_model >= 1 && step >= 1 && warmup_steps >= 1, "d_model ", d_model, ", step ", step, ", warmup ",
        warmup_steps);
  const auto s = static_cast<double>(step), warmup = static_cast<double>(warmup_steps);
  return scale * std::pow(static_cast<double>(d_model), -0.5) *
         std::min(std::pow(s, -0.5), s * std::pow(warmup, -1.5));
}

std::optional<OutOfRange> TrainingOptions::first_out_of_range() const {
  // A training step computes in Real, where 0.99999999 may be 1 and 1e-50 may be 0.
  const auto as_real = [](double number) { return static_cast<Real>(number); };
  const struct {
    bool holds;
    OutOfRange otherwise;
  } ranges[] = {
      {dropout >= 0 && as_real(dropout) < 1, {"dropout", dropout, kChooseBelowOne}},
      {label_smoothing >= 0 && label_smoothing < 1, {"label smoothing", label_smoothing, kChooseBelowOne}},
      {learning_rate.warmup_steps >= 1,
       {"warmup", static_cast<double>(learning_rate.warmup_steps), "choose at least 1 step"}},
      {learning_rate.scale > 0 && std::isfinite(learning_rate.scale),
       {"learning rate scale", learning_rate.scale, "the paper's is 1"}},
      {adam.beta_1 >= 0 && adam.beta_1 < 1, {"adam beta1", adam.beta_1, "the paper's is 0.9"}},
      {adam.beta_2 >= 0 && adam.beta_2 < 1, {"adam beta2", adam.beta_2, "the paper's is 0.98"}},
      {as_real(adam.epsilon) > 0 && adam.epsilon < 1, {"adam epsilon", adam.epsilon, "the paper's is 1e-9"}},
      {clip_norm >= 0 && std::isfinite(clip_norm), {"clip norm", clip_norm, "0 means never; 1 is usual"}},
  };
  for (const auto& range : ranges) {
    if (!range.holds) return range.otherwise;
  }
  return std::nullopt;
}

}  // namespace plainformer
