// How long a variation will train, beside its base.
#include "lab/table_3/expected_work.h"

#include <gtest/gtest.h>

#include "lab/table_3/variation.h"

namespace plainformer {
namespace {

constexpr double kToysParameters = 695'936;

double work_of(const std::string& title, double base_parameters = kToysParameters) {
  const TrainSettings base = preset_settings("toy");
  for (const Variation& variation : variations_of(base, {"A", "C", "big", "beyond"}))
    if (variation.title() == title) return work_beside_base(variation.settings, base, base_parameters);
  ADD_FAILURE() << "no variation " << title;
  return 0;
}

TEST(ExpectedWork, TheSameSizesAreTheSameWork) {
  EXPECT_EQ(work_of("A h 8"), 1);
  EXPECT_EQ(work_of("beyond word dropout 0.1"), 1);
}

// The mean times of the toy's runs beside those of its base (docs/measurements/toy).
TEST(ExpectedWork, ComesCloseToMeasuredTimes) {
  EXPECT_NEAR(work_of("C N 1"), 20.87 / 38.36, 0.15);
  EXPECT_NEAR(work_of("C N 3"), 58.24 / 38.36, 0.15);
  EXPECT_NEAR(work_of("C d_ff 512"), 48.28 / 38.36, 0.15);
  EXPECT_NEAR(work_of("C d_model 64"), 17.74 / 38.36, 0.15);
  EXPECT_NEAR(work_of("C d_model 256"), 99.61 / 38.36, 0.5);
}

TEST(ExpectedWork, RDropMakesTwoPassesAndBigMoreSteps) {
  EXPECT_EQ(work_of("beyond R-Drop 5"), 2);
  EXPECT_GT(work_of("big twice as wide"), 3 * work_of("C d_model 256"));
}

// A result's file may hold any number.
TEST(ExpectedWork, IsFiniteForAnyNumberOfParameters) {
  for (const double parameters : {0.0, 1e300}) {
    EXPECT_GT(work_of("C d_model 256", parameters), 1);
    EXPECT_LT(work_of("C d_model 256", parameters), 5);
  }
}

}  // namespace
}  // namespace plainformer
