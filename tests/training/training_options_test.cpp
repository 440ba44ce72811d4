// 5.3 Optimizer: equation (3); and the ranges of a training run's numbers.
#include "training/training_options.h"

#include <gtest/gtest.h>

#include <limits>
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

TEST(LearningRate, OfThePapersBaseModel) {
  const LearningRateSchedule schedule = {.d_model = 512};
  EXPECT_EQ(schedule.warmup_steps, 4000);
  EXPECT_NEAR(schedule.at(1), 1.746928e-7, 1e-12);
  EXPECT_NEAR(schedule.at(4000), 6.987712e-4, 1e-9);
  EXPECT_NEAR(schedule.at(8000), 4.941059e-4, 1e-9);
  EXPECT_NEAR(schedule.at(100000), 1.397542e-4, 1e-9);
}

TEST(TrainingOptions, OutOfRangeAreNamedWithTheirValueAndAHint) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kTooLarge = std::numeric_limits<double>::infinity();
  const struct {
    const char* quantity;
    double value;
    void (*set)(TrainingOptions&, double);
  } bad_options[] = {
      {"dropout", 1, [](TrainingOptions& o, double x) { o.dropout = x; }},
      {"dropout", -0.1, [](TrainingOptions& o, double x) { o.dropout = x; }},
      {"dropout", kNan, [](TrainingOptions& o, double x) { o.dropout = x; }},
      {"label smoothing", 1, [](TrainingOptions& o, double x) { o.label_smoothing = x; }},
      {"label smoothing", -1, [](TrainingOptions& o, double x) { o.label_smoothing = x; }},
      {"warmup", 0, [](TrainingOptions& o, double) { o.learning_rate.warmup_steps = 0; }},
      {"learning rate scale", 0, [](TrainingOptions& o, double x) { o.learning_rate.scale = x; }},
      {"learning rate scale", kTooLarge, [](TrainingOptions& o, double x) { o.learning_rate.scale = x; }},
      {"adam beta1", 1, [](TrainingOptions& o, double x) { o.adam.beta_1 = x; }},
      {"adam beta2", -0.5, [](TrainingOptions& o, double x) { o.adam.beta_2 = x; }},
      {"adam epsilon", 0, [](TrainingOptions& o, double x) { o.adam.epsilon = x; }},
      {"clip norm", -1, [](TrainingOptions& o, double x) { o.clip_norm = x; }},
      {"clip norm", kTooLarge, [](TrainingOptions& o, double x) { o.clip_norm = x; }},
  };
  EXPECT_FALSE(tiny_options(0).first_out_of_range());
  for (const auto& bad : bad_options) {
    TrainingOptions options = tiny_options(0);
    bad.set(options, bad.value);
    const std::optional<OutOfRange> found = options.first_out_of_range();
    ASSERT_TRUE(found) << bad.quantity << " " << bad.value;
    EXPECT_EQ(found->quantity, bad.quantity);
    EXPECT_EQ(std::to_string(found->value), std::to_string(bad.value)) << bad.quantity;  // NaN as well
    EXPECT_FALSE(found->hint.empty()) << bad.quantity;
  }
}

TEST(TrainingOptions, AreCheckedInThePrecisionOfTheSteps) {
  if (sizeof(Real) > 4) GTEST_SKIP() << "double holds them";
  TrainingOptions all = tiny_options(0), no_epsilon = tiny_options(0);
  all.dropout = 0.99999999;  // 1 in float
  no_epsilon.adam.epsilon = 1e-50;
  EXPECT_TRUE(all.first_out_of_range());
  EXPECT_TRUE(no_epsilon.first_out_of_range());
}

}  // namespace
}  // namespace plainformer
