// The estimate of a run's time, from its first steps.
#include "train/time_estimate.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

TrainSettings settings_of(Index steps, double minutes = 0) {
  TrainSettings settings = preset_settings("tiny");  // a warm-up of 2000 steps
  settings.training.steps = steps;
  settings.minutes = minutes;
  return settings;
}

TrainSettings without_validations(Index steps, double minutes = 0) {
  TrainSettings settings = settings_of(steps, minutes);
  settings.training.validate_every = 0;
  return settings;
}

std::string text_of(const TrainSettings& settings, const Pace& pace) {
  return estimate_time(settings, pace).value().text;
}

TEST(TimeEstimate, WaitsForAFewStepsUnlessTheyAreLong) {
  const TrainSettings settings = settings_of(10000);
  EXPECT_FALSE(estimate_time(settings, {.made = 50, .steps = 50, .seconds = 0.9}));
  EXPECT_FALSE(estimate_time(settings, {.made = 2, .steps = 2, .seconds = 9}));
  EXPECT_FALSE(estimate_time(settings, {.made = 0, .steps = 0, .seconds = 99}));
  EXPECT_TRUE(estimate_time(settings, {.made = 3, .steps = 3, .seconds = 1}));
  EXPECT_TRUE(estimate_time(settings, {.made = 1, .steps = 1, .seconds = 11}));
}

TEST(TimeEstimate, CountsTheStepsOfThisRun) {
  const TrainSettings settings = without_validations(10000);
  EXPECT_EQ(text_of(settings, {.made = 10, .steps = 10, .seconds = 1}),
            "time: about 17 minutes on this machine for 10000 steps");
  EXPECT_EQ(text_of(settings, {.made = 10, .steps = 7010, .seconds = 1}),
            "time: about 5 minutes on this machine for 3000 steps");
}

// Every 500 steps, 20 times; and once more at an end between two of them.
TEST(TimeEstimate, CountsTheValidations) {
  const Pace guessed = {.made = 10, .steps = 10, .seconds = 1, .a_validation = 30};
  const std::optional<TimeEstimate> before = estimate_time(settings_of(10000), guessed);
  EXPECT_EQ(before->text, "time: about 27 minutes on this machine for 10000 steps and 20 validations");
  EXPECT_NEAR(before->seconds, 1000 + 20 * 30, 1e-6);
  EXPECT_NEAR(estimate_time(settings_of(10001), guessed)->seconds, 1000.1 + 21 * 30, 1e-6);

  const Pace measured = {.made = 500, .steps = 500, .seconds = 50, .validations = 1, .a_validation = 90};
  const std::optional<TimeEstimate> after = estimate_time(settings_of(10000), measured);
  EXPECT_EQ(after->text,
            "time: about 47 minutes on this machine for 10000 steps and 20 validations of 90 seconds each");
  EXPECT_TRUE(after->corrects(before->seconds));
  EXPECT_TRUE(before->corrects(after->seconds));
  EXPECT_FALSE(after->corrects(0.9 * after->seconds));
  EXPECT_TRUE(after->corrects(0));
}

TEST(TimeEstimate, NamesThePatience) {
  TrainSettings settings = without_validations(10000);
  settings.patience = 7;
  EXPECT_EQ(text_of(settings, {.made = 10, .steps = 10, .seconds = 1}),
            "time: about 17 minutes on this machine for 10000 steps, unless --patience 7 ends it sooner");
}

TEST(TimeEstimate, SaysNothingOfSeconds) {
  EXPECT_EQ(text_of(settings_of(100), {.made = 10, .steps = 10, .seconds = 1}), "");
}

TEST(TimeEstimate, SaysWhereTheMinutesEnd) {
  const auto after_ten_steps = [](double minutes) {
    return text_of(without_validations(10000, minutes), {.made = 10, .steps = 10, .seconds = 1});
  };
  const std::string time = "time: about 17 minutes on this machine for 10000 steps";
  EXPECT_EQ(after_ten_steps(60), time);
  EXPECT_EQ(after_ten_steps(5), "time: --minutes 5 will end the training at about step 3000 of 10000");
  EXPECT_EQ(after_ten_steps(2.5),
            "time: --minutes 2.5 will end the training at about step 1500 of 10000, before the learning "
            "rate's peak at step 2000 (hint: begin again with --overwrite --warmup 300 --learning-rate-scale "
            "0.968, which reaches the same peak sooner)");
  // Half of the time goes to validations.
  EXPECT_TRUE(text_of(settings_of(10000, 10), {.made = 10, .steps = 10, .seconds = 1, .a_validation = 50})
                  .ends_with("at about step 3003 of 10000"));
  TrainSettings patient = without_validations(10000, 5);
  patient.patience = 7;
  EXPECT_EQ(text_of(patient, {.made = 10, .steps = 10, .seconds = 1}),
            "time: --minutes 5 will end the training at about step 3000 of 10000, unless --patience 7 ends "
            "it sooner");
}

}  // namespace
}  // namespace plainformer
