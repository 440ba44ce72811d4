#include "train/time_estimate.h"

#include <algorithm>
#include <cmath>

#include "core/number_text.h"
#include "report/number_format.h"

namespace plainformer {

namespace {

std::string describe_patience(const TrainSettings& settings) {
  if (settings.patience == 0) return "";
  return ", unless --patience " + std::to_string(settings.patience) + " ends it sooner";
}

// The line on a run that --minutes will end at this step, with the usual warm-up of a fifth if it is too long. The rate's
// peak is scale / sqrt(d_model * warm-up) (5.3), so a shorter warm-up alone would raise it.
std::string describe_end(const TrainSettings& settings, Index last_step) {
  const Index warmup = settings.training.learning_rate.warmup_steps;
  std::string text = "time: --minutes " + shortest_text(settings.minutes) +
                     " will end the training at about step " + std::to_string(last_step) + " of " +
                     std::to_string(settings.training.steps) + describe_patience(settings);
  if (last_step >= warmup) return text;
  const Index shorter = std::max<Index>(1, last_step / 5);
  const double scale = settings.training.learning_rate.scale *
                       std::sqrt(static_cast<double>(shorter) / static_cast<double>(warmup));
  return text + ", before the learning rate's peak at step " + std::to_string(warmup) +
         " (hint: begin again with --overwrite --warmup " + std::to_string(shorter) +
         " --learning-rate-scale " + format_fixed(scale, 3) + ", which reaches the same peak sooner)";
}

// Validations up to this step: those that are due, and the one at the end.
Index validations_until(const TrainSettings& settings, Index step) {
  const Index every = settings.training.validate_every;
  if (every == 0 || !settings.may_have_validation_text()) return 0;
  return step / every + (step == settings.training.steps && step % every != 0 ? 1 : 0);
}

// "10000 steps and 20 validations of 12 seconds each"
std::string describe_work(const Pace& pace, Index steps, Index validations) {
  std::string text = count_of(steps, "step");
  if (validations == 0 || pace.a_validation == 0) return text;
  text += " and " + count_of(validations, "validation");
  if (pace.validations > 0 && pace.a_validation >= 1)
    text += " of " + format_rough_duration(pace.a_validation) + (validations > 1 ? " each" : "");
  return text;
}

}  // namespace

bool TimeEstimate::corrects(double earlier_seconds) const {
  constexpr double kWorthTelling = 1.25;
  return seconds > kWorthTelling * earlier_seconds || earlier_seconds > kWorthTelling * seconds;
}

std::optional<TimeEstimate> estimate_time(const TrainSettings& settings, const Pace& pace) {
  // The first step is slower, because it meets new memory, and one second says little. But a step may be long.
  constexpr double kShortest = 1, kLongest = 10, kWorthTelling = 10;
  const bool is_early = pace.seconds < kShortest || (pace.made < 3 && pace.seconds < kLongest);
  if (pace.made == 0 || is_early) return std::nullopt;

  const double a_step = pace.seconds / static_cast<double>(pace.made);
  const double so_far = pace.seconds + static_cast<double>(pace.validations) * pace.a_validation;
  const Index steps = settings.training.steps - pace.steps;
  const Index validations =
      validations_until(settings, settings.training.steps) - validations_until(settings, pace.steps);
  const double rest =
      a_step * static_cast<double>(steps) + pace.a_validation * static_cast<double>(validations);
  TimeEstimate estimate = {.seconds = so_far + rest, .text = ""};
  if (rest < kWorthTelling) return estimate;
  const double allowed = 60 * settings.minutes;
  if (allowed > 0 && estimate.seconds > allowed) {
    const double left = std::max(0.0, allowed - so_far);
    const Index last_step = pace.steps + static_cast<Index>(static_cast<double>(steps) * left / rest);
    estimate.text = describe_end(settings, last_step);
  } else {
    estimate.text = "time: about " + format_rough_duration(estimate.seconds) + " on this machine for " +
                    describe_work(pace, pace.made + steps, pace.validations + validations) +
                    describe_patience(settings);
  }
  return estimate;
}

}  // namespace plainformer
