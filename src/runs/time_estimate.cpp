#include "runs/time_estimate.h"

#include <algorithm>

#include "core/number_text.h"
#include "report/number_format.h"

namespace plainformer {

namespace {

// A line on the step at which --minutes will end a run, with the usual warm-up of a fifth if it is too long.
std::string describe_end(const TrainSettings& settings, Index last_step) {
  const Index warmup = settings.training.learning_rate.warmup_steps;
  std::string text = "--minutes " + shortest_text(settings.minutes) +
                     " will end the training at about step " + std::to_string(last_step);
  if (last_step < warmup)
    text += ", before the learning rate's peak at step " + std::to_string(warmup) + " (hint: --warmup " +
            std::to_string(std::max<Index>(1, last_step / 5)) + ")";
  return text;
}

}  // namespace

std::optional<std::string> describe_time(const TrainSettings& settings, const Pace& pace) {
  // The first step is slower, because it meets new memory, and one second says little. But a step may be long.
  constexpr double kShortest = 1, kLongest = 10, kWorthTelling = 10;
  const bool is_early = pace.seconds < kShortest || (pace.made < 3 && pace.seconds < kLongest);
  if (pace.made == 0 || is_early) return std::nullopt;

  const double a_step = pace.seconds / static_cast<double>(pace.made);
  const Index to_come = settings.training.steps - pace.steps;
  const double rest = a_step * static_cast<double>(to_come);
  if (rest < kWorthTelling) return "";
  std::string text = "time: about " + format_rough_duration(pace.seconds + rest) + " on this machine for " +
                     count_of(pace.made + to_come, "step") + ", and more for validations";
  const double allowed = 60 * settings.minutes;
  if (allowed == 0 || pace.seconds + rest <= allowed) return text;
  const double until_end = std::max(0.0, allowed - pace.seconds) / a_step;
  return text + "\n" + describe_end(settings, pace.steps + static_cast<Index>(until_end));
}

}  // namespace plainformer
