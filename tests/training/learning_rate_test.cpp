// 5.3 Optimizer: equation (3).
#include "training/learning_rate.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace plainformer {
namespace {

// d_model^-0.5 = 1/2 and warmup_steps^-1.5 = 1/8: all values are exact.
TEST(LearningRate, IsEquation3) {
  const LearningRateSchedule schedule = {.d_model = 4, .warmup_steps = 4};
  EXPECT_DOUBLE_EQ(schedule.at(1), 0.0625);
  EXPECT_DOUBLE_EQ(schedule.at(2), 0.125);
  EXPECT_DOUBLE_EQ(schedule.at(3), 0.1875);
  EXPECT_DOUBLE_EQ(schedule.at(4), 0.25);
  EXPECT_DOUBLE_EQ(schedule.at(16), 0.125);
  EXPECT_DOUBLE_EQ(schedule.at(64), 0.0625);
}

TEST(LearningRate, OfThePapersBaseModel) {
  const LearningRateSchedule schedule = {.d_model = 512};
  EXPECT_EQ(schedule.warmup_steps, 4000);
  EXPECT_NEAR(schedule.at(1), 1.746928e-7, 1e-12);
  EXPECT_NEAR(schedule.at(4000), 6.987712e-4, 1e-9);
  EXPECT_NEAR(schedule.at(8000), 4.941059e-4, 1e-9);
  EXPECT_NEAR(schedule.at(100000), 1.397542e-4, 1e-9);
}

TEST(LearningRate, RisesDuringTheWarmUpAndFallsAfterIt) {
  const LearningRateSchedule schedule = {.d_model = 7, .warmup_steps = 50};
  for (Index step = 1; step < 50; ++step) EXPECT_LT(schedule.at(step), schedule.at(step + 1)) << step;
  for (Index step = 50; step < 200; ++step) EXPECT_GT(schedule.at(step), schedule.at(step + 1)) << step;
}

TEST(LearningRate, IsMultipliedByTheScale) {
  const LearningRateSchedule schedule = {.d_model = 4, .warmup_steps = 4, .scale = 2.5};
  EXPECT_DOUBLE_EQ(schedule.at(4), 0.625);
}

TEST(LearningRate, CountsStepsFromOne) {
  const LearningRateSchedule schedule = {.d_model = 4};
  EXPECT_THROW(schedule.at(0), std::logic_error);
}

}  // namespace
}  // namespace plainformer
