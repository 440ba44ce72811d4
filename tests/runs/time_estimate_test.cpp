// The estimate of a run's time, from its first steps.
#include "runs/time_estimate.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

TrainSettings settings_of(Index steps, double minutes = 0) {
  TrainSettings settings = preset_settings("tiny");  // a warm-up of 2000 steps
  settings.training.steps = steps;
  settings.minutes = minutes;
  return settings;
}

TEST(TimeEstimate, WaitsForAFewStepsUnlessTheyAreLong) {
  const TrainSettings settings = settings_of(10000);
  EXPECT_FALSE(describe_time(settings, {.made = 50, .steps = 50, .seconds = 0.9}));
  EXPECT_FALSE(describe_time(settings, {.made = 2, .steps = 2, .seconds = 9}));
  EXPECT_FALSE(describe_time(settings, {.made = 0, .steps = 0, .seconds = 99}));
  EXPECT_TRUE(describe_time(settings, {.made = 3, .steps = 3, .seconds = 1}));
  EXPECT_TRUE(describe_time(settings, {.made = 1, .steps = 1, .seconds = 11}));
}

TEST(TimeEstimate, CountsTheStepsOfThisRun) {
  EXPECT_EQ(*describe_time(settings_of(10000), {.made = 10, .steps = 10, .seconds = 1}),
            "time: about 17 minutes on this machine for 10000 steps, and more for validations");
  EXPECT_EQ(*describe_time(settings_of(10000), {.made = 10, .steps = 7010, .seconds = 1}),
            "time: about 5 minutes on this machine for 3000 steps, and more for validations");
}

TEST(TimeEstimate, SaysNothingOfSeconds) {
  EXPECT_EQ(*describe_time(settings_of(100), {.made = 10, .steps = 10, .seconds = 1}), "");
}

TEST(TimeEstimate, SaysWhereTheMinutesEnd) {
  const auto after_ten_steps = [](double minutes) {
    return *describe_time(settings_of(10000, minutes), {.made = 10, .steps = 10, .seconds = 1});
  };
  const std::string time = "time: about 17 minutes on this machine for 10000 steps, and more for validations";
  EXPECT_EQ(after_ten_steps(60), time);
  EXPECT_EQ(after_ten_steps(5), time + "\n--minutes 5 will end the training at about step 3000");
  EXPECT_EQ(after_ten_steps(2.5),
            time +
                "\n--minutes 2.5 will end the training at about step 1500, before the learning "
                "rate's peak at step 2000 (hint: --warmup 300)");
}

}  // namespace
}  // namespace plainformer
