#include "show/curve/training_chart.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plainformer {
namespace {

using Pairs = std::vector<std::pair<double, double>>;

Pairs pairs(const ChartSeries& series) {
  Pairs pairs;
  for (const ChartPoint& point : series.points) pairs.emplace_back(point.x, point.y);
  return pairs;
}

NamedHistory run(const std::string& name) {
  return {name,
          {.steps = {{1, 8, 0.001}, {2, 6, 0.002}, {3, 5, 0.003}},
           .validations = {{2, 7, 10}, {3, 6.5, 12.25}, {4, 6.75, NAN}}}};
}

TEST(TrainingChart, OfOneRun) {
  const LineChart chart = training_chart({run("first")});
  EXPECT_EQ(chart.title, "Training of first");
  EXPECT_EQ(chart.description,
            "first: 3 steps, in validation the lowest loss 6.500 at step 3, highest BLEU 12.2 at step 3.");
  ASSERT_EQ(chart.panels.size(), 3u);
  ASSERT_EQ(chart.panels[0].series.size(), 2u);
  EXPECT_EQ(pairs(chart.panels[0].series[0]), (Pairs{{1, 8}, {2, 6}, {3, 5}}));
  EXPECT_EQ(pairs(chart.panels[0].series[1]), (Pairs{{2, 7}, {3, 6.5}, {4, 6.75}}));
  EXPECT_EQ(chart.panels[0].note, "") << "it would stand in its heading";
  EXPECT_EQ(chart.panels[1].note, "highest BLEU 12.2 at step 3");
  EXPECT_EQ(chart.panels[1].series[0].points[1].y, 12.25);
  EXPECT_EQ(pairs(chart.panels[2].series[0]), (Pairs{{1, 0.001}, {2, 0.002}, {3, 0.003}}));
  ASSERT_EQ(chart.legend.size(), 2u);
  EXPECT_EQ(chart.legend[0].name, "training");
  EXPECT_EQ(chart.legend[0].color, chart.panels[0].series[0].color);
  EXPECT_EQ(chart.legend[1].name, "validation: lowest loss 6.500 at step 3");
  EXPECT_EQ(chart.legend[1].color, chart.panels[0].series[1].color);
  EXPECT_NE(chart.legend[0].color, chart.legend[1].color);
}

TEST(TrainingChart, OfTwoRunsAColorForEach) {
  const LineChart chart = training_chart({run("first"), run("second")});
  EXPECT_EQ(chart.title, "Training of 2 runs");
  ASSERT_EQ(chart.legend.size(), 4u);
  EXPECT_EQ(chart.legend[1].name, "second");
  for (const ChartPanel& panel : chart.panels) {
    for (std::size_t i = 0; i < panel.series.size(); ++i)
      EXPECT_EQ(panel.series[i].color, chart.legend[i % 2].color) << panel.heading;
    EXPECT_EQ(panel.note, "");
  }
}

// 1,000 steps whose loss is their number: windows of 5 make 200 points.
TEST(TrainingChart, DrawsMeansOfManySteps) {
  NamedHistory longer = {"long", {}};
  for (Index step = 1; step <= 1000; ++step)
    longer.history.steps.push_back({step, static_cast<double>(step), 0.001});
  LineChart chart = training_chart({longer, run("short")});
  ASSERT_EQ(chart.panels[0].series[0].points.size(), 200u);
  EXPECT_EQ(pairs(chart.panels[0].series[0])[0], std::make_pair(3.0, 3.0));
  EXPECT_EQ(pairs(chart.panels[0].series[0])[199], std::make_pair(998.0, 998.0));
  EXPECT_EQ(pairs(chart.panels[0].series[1]), (Pairs{{2, 19.0 / 3}}));  // the same windows
  EXPECT_EQ(chart.legend[2].name, "training, means of 5 steps");

  longer.history.steps.push_back({1001, 7, 0.001});
  chart = training_chart({longer});
  EXPECT_EQ(chart.legend[0].name, "training, means of 10 steps");
  EXPECT_EQ(pairs(chart.panels[0].series[0]).back(), std::make_pair(1001.0, 7.0));
}

TEST(TrainingChart, SkippedStepsAreLeftOutOfTheMeans) {
  NamedHistory gaps = {"gaps", {.steps = {{1, 8, 0}, {3, 4, 0}, {600, 2, 0}}, .validations = {}}};
  const LineChart chart = training_chart({gaps});
  EXPECT_EQ(pairs(chart.panels[0].series[0]), (Pairs{{2, 6}, {600, 2}}));
}

TEST(TrainingChart, WithoutValidationsHasNoBleu) {
  NamedHistory bare = run("bare");
  bare.history.validations.clear();
  const LineChart chart = training_chart({bare});
  EXPECT_EQ(chart.panels.size(), 2u);
  EXPECT_EQ(chart.legend.size(), 1u);
  EXPECT_EQ(chart.description, "bare: 3 steps.");
  EXPECT_EQ(chart.panels[0].note, "");
}

TEST(TrainingChart, OfAnyStepNumbers) {
  const Index last = std::numeric_limits<Index>::max();
  const NamedHistory hostile = {
      "hostile", {.steps = {{0, 1, 0}, {last, 1e308, 0}, {last, 1e308, 0}}, .validations = {}}};
  EXPECT_LT(to_svg(training_chart({hostile})).size(), 10000u);
}

}  // namespace
}  // namespace plainformer
