// 5.3 Optimizer: equation (3); and the ranges of a training run's numbers, which
// tests/promises/malformed_text_test.cpp holds one by one.
#include "training/training_options.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "training/tiny_training.h"

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
  EXPECT_DOUBLE_EQ((LearningRateSchedule{.d_model = 4, .warmup_steps = 4, .scale = 2.5}).at(4), 0.625);
  EXPECT_THROW(schedule.at(0), std::logic_error) << "steps count from 1";
}

TEST(TrainingOptions, AreCheckedInThePrecisionOfTheSteps) {
  EXPECT_NO_THROW(tiny_options(0).check(""));
  if (sizeof(Real) > 4) GTEST_SKIP() << "double holds them";
  TrainingOptions all = tiny_options(0), no_epsilon = tiny_options(0);
  all.dropout = 0.99999999;         // 1 in float
  no_epsilon.adam.epsilon = 1e-19;  // where v, which is 0 below 1e-38, would be divided by it alone
  EXPECT_THROW(all.check(""), std::runtime_error);
  EXPECT_THROW(no_epsilon.check(""), std::runtime_error);
}

}  // namespace
}  // namespace plainformer
