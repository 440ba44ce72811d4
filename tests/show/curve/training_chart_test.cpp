#include "show/curve/training_chart.h"

#include <gtest/gtest.h>

#include <cmath>

#include "io/temporary_folder.h"
#include "support/thrown_message.h"
#include "train/training_log.h"

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

TEST(TrainingChart, OfAnyStepNumbers) {
  const Index last = std::numeric_limits<Index>::max();
  const NamedHistory hostile = {
      "hostile", {.steps = {{0, 1, 0}, {last, 1e308, 0}, {last, 1e308, 0}}, .validations = {}}};
  EXPECT_LT(to_svg(training_chart({hostile})).size(), 10000u);
}

// ---- the log

constexpr const char* kTwoSteps =
    "{\"step\": 1, \"epoch\": 0, \"loss\": 9.5, \"learning_rate\": 0.001, \"seconds\": 0.25}\n"
    "{\"step\": 2, \"epoch\": 0, \"loss\": 8.25, \"learning_rate\": 0.002, \"seconds\": 0.5}\n";

class TrainingHistoryOf : public testing::Test {
 protected:
  TrainingHistory read(const std::string& log) { return read_training_history(folder_.write("log", log)); }
  std::string error(const std::string& log) {
    return thrown_message<std::runtime_error>([&] { read(log); });
  }
  void expect_error(const std::string& log, const std::string& place_and_problem) {
    const std::string message = error(log);
    EXPECT_NE(message.find(folder_.path_of("log") + place_and_problem), std::string::npos) << message;
    EXPECT_NE(message.find(" (hint: "), std::string::npos) << message;
  }

  const TemporaryFolder folder_;
};

TEST_F(TrainingHistoryOf, StepsAndValidations) {
  const TrainingHistory history = read(std::string(kTwoSteps) +
                                       "{\"step\": 2, \"valid_loss\": 7.5, \"valid_perplexity\": 20}\n"
                                       "{\"step\": 2, \"skipped\": \"the output of encoder.0\"}\n"
                                       "{\"step\": 3, \"loss\": 8, \"learning_rate\": 0.003}\n"
                                       "{\"step\": 3, \"valid_loss\": 7, \"valid_perplexity\": 19, "
                                       "\"valid_bleu\": 1.5}\n"
                                       "{\"step\": 3, \"averaged\": 2, \"valid_loss\": 6}\n");
  ASSERT_EQ(history.steps.size(), 3u);
  EXPECT_EQ(history.steps[1].step, 2);
  EXPECT_EQ(history.steps[1].loss, 8.25);
  EXPECT_EQ(history.steps[1].learning_rate, 0.002);
  EXPECT_EQ(history.steps[2].step, 3);
  ASSERT_EQ(history.validations.size(), 2u);
  EXPECT_EQ(history.validations[0].loss, 7.5);
  EXPECT_TRUE(std::isnan(history.validations[0].bleu));
  EXPECT_EQ(history.validations[1].step, 3);
  EXPECT_EQ(history.validations[1].bleu, 1.5);
}

TEST_F(TrainingHistoryOf, WhatTrainingLogWrites) {
  const std::string path = folder_.path_of("log.jsonl");
  {
    TrainingLog log(path, 0, 0);
    StepReport report;
    report.loss = 3.5;
    report.learning_rate = 1e-3;
    log.step(1, 0, report, 0.5);
    log.skipped(1, 2, "the gradient of embedding");
    log.validation(1, {.loss = INFINITY, .perplexity = 12, .bleu = 30.25});
    log.average(1, 2, {.loss = 3, .perplexity = 11, .bleu = 30.5});
  }
  const TrainingHistory history = read_training_history(path);
  ASSERT_EQ(history.steps.size(), 1u);
  EXPECT_EQ(history.steps[0].loss, 3.5);
  EXPECT_EQ(history.steps[0].learning_rate, 1e-3);
  ASSERT_EQ(history.validations.size(), 1u);
  EXPECT_TRUE(std::isnan(history.validations[0].loss));
  EXPECT_EQ(history.validations[0].bleu, 30.25);
}

// What was skipped after the checkpoint will be skipped again, what was skipped before it will not; the
// average is of another end.
TEST_F(TrainingHistoryOf, ARunThatIsResumed) {
  const std::string made = "{\"step\": 1, \"loss\": 4}\n",
                    skipped_before = "{\"step\": 1, \"attempt\": 2, \"skipped\": \"a\"}\n",
                    skipped_after = "{\"step\": 1, \"attempt\": 3, \"skipped\": \"b\"}\n",
                    validated = "{\"step\": 1, \"valid_loss\": 3.5}\n",
                    averaged = "{\"step\": 1, \"averaged\": 2, \"valid_loss\": 3}\n",
                    made_after = "{\"step\": 2, \"loss\": 4}\n";
  const std::string path =
      folder_.write("log.jsonl", made + skipped_before + validated + averaged + skipped_after + made_after);
  TrainingLog(path, /*steps=*/1, /*attempts=*/2);
  EXPECT_EQ(folder_.read("log.jsonl"), made + skipped_before + validated);
}

TEST_F(TrainingHistoryOf, ARunThatIsStillWritingItsLastLine) {
  const std::string line = "{\"step\": 3, \"loss\": 7.5, \"learning_rate\": 0.003}";
  for (std::size_t written = 0; written <= line.size(); ++written)
    EXPECT_EQ(read(kTwoSteps + line.substr(0, written)).steps.size(), 2u) << written;
  EXPECT_EQ(read(kTwoSteps + line + "\n").steps.size(), 3u);
}

TEST_F(TrainingHistoryOf, ALogWithoutAStep) {
  for (const std::string log : {"", "{\"step\": 1, \"lo", "{\"step\": 0, \"skipped\": \"the loss\"}\n"})
    expect_error(log, ": holds no step yet");
  EXPECT_NE(thrown_message<std::runtime_error>([&] {
              read_training_history(folder_.path_of("nothing"));
            }).find("nothing: no such file"),
            std::string::npos);
}

TEST_F(TrainingHistoryOf, AHostileLog) {
  expect_error(std::string(kTwoSteps) + "{\"step\": 3, \"loss\": }\n", ":3: byte 20: expected a value");
  expect_error(std::string(kTwoSteps) + "\n{\"step\": 3, \"loss\": 1}\n", ":3: byte 0: ");
  expect_error("[1, 2]\n", ":1: has no \"step\"");
  expect_error("{\"step\": -1, \"loss\": 1}\n", ":1: has no \"step\"");
  expect_error("{\"step\": 1, \"loss\": \"low\"}\n", ":1: \"loss\" is not a number");
  expect_error("{\"step\": 1, \"loss\": 1e999}\n", ":1: \"loss\" is not a number");
  expect_error("{\"step\": 1, \"loss\": 1, \"learning_rate\": []}\n",
               ":1: \"learning_rate\" is not a number");
  expect_error("{\"step\": 1, \"valid_loss\": 1, \"valid_bleu\": true}\n", ":1: \"valid_bleu\" is not");
  expect_error(std::string(kTwoSteps) + kTwoSteps, ":3: step 1 comes after step 2");
  expect_error("{\"step\": 1, \"loss\": 1, \"\xff\": 1}\n", ":1: not valid UTF-8");
  expect_error("{\"step\": 1, \"x\": [" + std::string(100000, '[') + "\n", ":1: byte ");
  std::string many = "0";
  for (int i = 0; i < 2000; ++i) many += ",0";
  EXPECT_NE(error("{\"step\": 1, \"x\": [" + many + "]}\n").find("too many values"), std::string::npos);
}

}  // namespace
}  // namespace plainformer
