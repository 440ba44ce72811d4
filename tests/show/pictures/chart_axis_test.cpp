#include "show/pictures/chart_axis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "report/number_format.h"

namespace plainformer {
namespace {

using Strings = std::vector<std::string>;

Strings labels(const ChartAxis& axis) {
  Strings labels;
  for (const double tick : axis.ticks) labels.push_back(format_tick(tick));
  return labels;
}

TEST(ChartAxis, TicksAreRoundAndEncloseTheData) {
  const ChartAxis axis = linear_axis(0.013, 0.084, 4);
  EXPECT_EQ(labels(axis), (Strings{"0", "0.02", "0.04", "0.06", "0.08", "0.1"}));
  EXPECT_EQ(axis.share(0), 0);
  EXPECT_EQ(axis.share(0.05), 0.5);
  EXPECT_EQ(axis.share(0.1), 1);
}

TEST(ChartAxis, TicksOfNegativeAndTinyData) {
  EXPECT_EQ(labels(linear_axis(-3, 5, 4)), (Strings{"-4", "-2", "0", "2", "4", "6"}));
  EXPECT_EQ(labels(linear_axis(1e-5, 3e-5, 4)), (Strings{"1e-05", "1.5e-05", "2e-05", "2.5e-05", "3e-05"}));
}

TEST(ChartAxis, AConstantHasRoomOnBothSides) {
  EXPECT_EQ(labels(linear_axis(7, 7, 4)), (Strings{"2", "4", "6", "8", "10", "12"}));
  EXPECT_EQ(labels(linear_axis(0, 0, 4)), (Strings{"-1", "-0.5", "0", "0.5", "1"}));
  EXPECT_NEAR(logarithmic_axis(7, 7, 4).share(7), 0.5, 1e-12);
}

TEST(ChartAxis, WithoutDataGoesFrom0To1) {
  for (const ChartAxis& axis : {linear_axis(INFINITY, -INFINITY, 5), logarithmic_axis(INFINITY, -INFINITY, 5),
                                linear_axis(NAN, NAN, 5)}) {
    EXPECT_EQ(labels(axis), (Strings{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
    EXPECT_FALSE(axis.logarithmic);
  }
}

TEST(ChartAxis, EqualFactorsAreEqualDistancesOfALogarithm) {
  const ChartAxis axis = logarithmic_axis(1, 100, 5);
  EXPECT_NEAR(axis.share(10), 0.5, 1e-12);
  EXPECT_NEAR(axis.share(100) - axis.share(10), axis.share(10) - axis.share(1), 1e-12);
  EXPECT_GT(axis.share(1), 0);
  EXPECT_LT(axis.share(100), 1);
}

TEST(ChartAxis, TicksOfALogarithmAreRoundAndNotCrowded) {
  EXPECT_EQ(labels(logarithmic_axis(1.9, 9.6, 6)), (Strings{"2", "3", "4", "5", "6", "7", "8", "9", "10"}));
  EXPECT_EQ(labels(logarithmic_axis(0.08, 6, 6)), (Strings{"0.1", "0.2", "0.5", "1", "2", "5"}));
  EXPECT_EQ(labels(logarithmic_axis(2.01, 2.11, 5)), (Strings{"2.02", "2.04", "2.06", "2.08", "2.1"}));
  EXPECT_EQ(labels(logarithmic_axis(1e-12, 100, 6)),
            (Strings{"1e-12", "1e-10", "1e-08", "1e-06", "0.0001", "0.01", "1", "100"}));
  const std::vector<double> many = logarithmic_axis(1e-200, 1e200, 6).ticks;
  EXPECT_GT(many.size(), 5u);
  EXPECT_LT(many.size(), 20u);
}

TEST(ChartAxis, CutAtAValueHasNoTickBehindIt) {
  const ChartAxis axis = cut_at(97, linear_axis(0, 97, 5));
  EXPECT_EQ(labels(axis), (Strings{"0", "20", "40", "60", "80"}));
  EXPECT_EQ(axis.share(97), 1);
}

TEST(ChartAxis, NoTwoTicksReadTheSame) {
  for (const double high : {1e15 + 0.125, 1e15 + 1e7, 2e15}) {
    const Strings ticks = labels(linear_axis(1e15, high, 4));
    EXPECT_GE(ticks.size(), 3u);
    EXPECT_EQ(std::adjacent_find(ticks.begin(), ticks.end()), ticks.end()) << ticks.front();
  }
}

}  // namespace
}  // namespace plainformer
