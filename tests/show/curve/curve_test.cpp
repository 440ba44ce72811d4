// plainformer curve: from the log of a training run to a picture.
#include "show/curve/training_chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/number_text.h"
#include "report/terminal.h"
#include "support/pattern.h"
#include "support/small_model_folder.h"
#include "support/thrown_message.h"
#include "train/training_log.h"

namespace plainformer {
namespace {

using Strings = std::vector<std::string>;

// Is each element closed, in order? Enough of XML for what we write: no comments, no ">" in attributes.
bool is_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (auto at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::string tag = svg.substr(at + 1, svg.find('>', at) - at - 1);
    const std::string name = tag.substr(0, tag.find(' '));
    if (tag.back() == '/') continue;
    if (tag[0] != '/') {
      open.push_back(name);
    } else if (open.empty() || "/" + open.back() != name) {
      return false;
    } else {
      open.pop_back();
    }
  }
  return open.empty() && svg.rfind("<svg ", 0) == 0;
}

// What the first group of the pattern matches, in order.
Strings groups_in(const std::string& svg, const std::string& pattern) {
  Strings found;
  for (const Match& match : Pattern(pattern).all_in(svg)) found.push_back(match.groups[1]);
  return found;
}

// The contents of the <text> elements with this anchor.
Strings texts(const std::string& svg, const std::string& anchor) {
  return groups_in(svg, "text-anchor=\"" + anchor + "\">([^<]*)");
}

// The commands of each path of these classes.
Strings paths(const std::string& svg, const std::string& classes) {
  return groups_in(svg, "<path class=\"" + classes + "\" d=\"([^\"]*)");
}

// One panel: its plot spans x 64 .. 456, y 72 .. 244.
LineChart small_chart(std::vector<ChartSeries> series) {
  return {.title = "Training",
          .description = "It falls.",
          .x_label = "step",
          .panels = {{.heading = "Loss", .note = "lowest 0", .series = std::move(series), .height = 172}}};
}

TEST(LineChart, PutsPointsWhereTheAxesSay) {
  const std::string svg = to_svg(small_chart({{{{0, 4}, {50, 2}, {100, 0}}}}));
  EXPECT_EQ(paths(svg, "line thin c0"), Strings{"M64.0 72.0L260.0 158.0L456.0 244.0"}) << svg;
  EXPECT_EQ(texts(svg, "end"), (Strings{"lowest 0", "0", "1", "2", "3", "4"}));
  EXPECT_EQ(texts(svg, "middle"), (Strings{"0", "20", "40", "60", "80", "100", "step"}));
  EXPECT_EQ(texts(svg, "start"), (Strings{"Training", "Loss"}));
  EXPECT_TRUE(contains(svg, "<title>Training</title>\n<desc>It falls.</desc>\n"));
  EXPECT_TRUE(is_well_formed(svg));
}

TEST(LineChart, PanelsShareTheXAxisFrom0ToTheLastPointAndHaveTheirOwnY) {
  LineChart chart = small_chart({{{{0, 4}, {50, 0}}}});
  chart.panels.push_back({.heading = "BLEU", .series = {{{{50, 10}, {100, 40}}, 1}}, .height = 100});
  const std::string svg = to_svg(chart);
  EXPECT_EQ(paths(svg, "line thin c0"), Strings{"M64.0 72.0L260.0 244.0"});
  EXPECT_EQ(paths(svg, "line thin c1"), Strings{"M260.0 388.0L456.0 288.0"});  // 10 + 34 below the first
  EXPECT_EQ(texts(svg, "middle"), (Strings{"0", "20", "40", "60", "80", "100", "step"}));
  EXPECT_TRUE(contains(svg, "viewBox=\"0 0 480 432\""));
}

TEST(LineChart, OnALogarithmicAxisEqualFactorsAreEqualDistances) {
  LineChart chart = small_chart({{{{0, 100}, {50, 10}, {75, 0}, {100, 1}}}});
  chart.panels[0].logarithmic = true;
  // 4 % of the range are left above and below; a value without a logarithm interrupts the line.
  EXPECT_EQ(paths(to_svg(chart), "line thin c0"), Strings{"M64.0 78.4L260.0 158.0"});
  EXPECT_EQ(texts(to_svg(chart), "end"), (Strings{"lowest 0", "1", "2", "5", "10", "20", "50", "100"}));
}

TEST(LineChart, ALegendHasARowForEachEntry) {
  LineChart chart = small_chart({{{{0, 4}, {100, 0}}}});
  chart.legend = {{"training", 0, ChartLine::kThin}, {std::string(200, 'x'), 1, ChartLine::kMarked}};
  const std::string svg = to_svg(chart);
  EXPECT_EQ(texts(svg, "start").at(1), "training");
  EXPECT_EQ(display_width(texts(svg, "start").at(2)), 57) << "there is room for 57 columns";
  EXPECT_EQ(paths(svg, "line thin c0"), (Strings{"M64.0 52.0h26", "M64.0 112.0L456.0 284.0"}));
  EXPECT_EQ(paths(svg, "line marked c1"), (Strings{"M64.0 72.0h26"}));
  EXPECT_TRUE(contains(paths(svg, "mark c1").at(0), "M77.0 72.0m"));
}

TEST(LineChart, ExtremeDataStaysWithinTheDocument) {
  for (const std::vector<ChartPoint>& points :
       std::vector<std::vector<ChartPoint>>{{{0, -9e299}, {1, 9e299}},
                                            {{0, 5e-324}, {1, 0}},
                                            {{0, 1e15}, {1, 1e15 + 0.125}},
                                            {{-9e299, 1e-249}, {9e299, 9e249}},
                                            {{0, -1.7e308}, {1, 1.7e308}}}) {
    for (const bool logarithmic : {false, true}) {
      LineChart chart = small_chart({{points}});
      chart.panels[0].logarithmic = logarithmic;
      const std::string svg = to_svg(chart);
      EXPECT_LT(svg.size(), 10000u);
      EXPECT_FALSE(contains(svg, "nan") || contains(svg, "inf")) << svg;
    }
  }
}

TEST(LineChart, WithoutDataTheAxesAreEmpty) {
  for (const std::vector<ChartPoint>& points : {std::vector<ChartPoint>{}, {{NAN, 1}, {2, INFINITY}}}) {
    const std::string svg = to_svg(small_chart({{points}}));
    EXPECT_EQ(texts(svg, "end").back(), "1");
    EXPECT_TRUE(is_well_formed(svg));
  }
}

TEST(LineChart, EscapesWhatPeopleWrite) {
  LineChart chart = small_chart({{{{0, 1}}}});
  chart.title = chart.description = chart.x_label = chart.panels[0].heading = chart.panels[0].note =
      "</title><script>alert(1)</script>";
  chart.legend = {{chart.title, 0, ChartLine::kThin}};
  const std::string svg = to_svg(chart);
  EXPECT_FALSE(contains(svg, "<script"));
  EXPECT_TRUE(is_well_formed(svg));
}

// ---- the axis

Strings labels(const ChartAxis& axis) {
  Strings labels;
  for (const double tick : axis.ticks) labels.push_back(general_text(tick, 10));
  return labels;
}

TEST(ChartAxis, TicksAreRound) {
  const struct {
    ChartAxis axis;
    Strings labels;
  } cases[] = {
      {linear_axis(0.013, 0.084, 4), {"0", "0.02", "0.04", "0.06", "0.08", "0.1"}},
      {linear_axis(-3, 5, 4), {"-4", "-2", "0", "2", "4", "6"}},
      {linear_axis(1e-5, 3e-5, 4), {"1e-05", "1.5e-05", "2e-05", "2.5e-05", "3e-05"}},
      {linear_axis(7, 7, 4), {"2", "4", "6", "8", "10", "12"}},
      {linear_axis(0, 0, 4), {"-1", "-0.5", "0", "0.5", "1"}},
      {linear_axis(INFINITY, -INFINITY, 5), {"0", "0.2", "0.4", "0.6", "0.8", "1"}},
      {linear_axis(NAN, NAN, 5), {"0", "0.2", "0.4", "0.6", "0.8", "1"}},
      {logarithmic_axis(INFINITY, -INFINITY, 5), {"0", "0.2", "0.4", "0.6", "0.8", "1"}},
      {logarithmic_axis(1.9, 9.6, 6), {"2", "3", "4", "5", "6", "7", "8", "9", "10"}},
      {logarithmic_axis(0.08, 6, 6), {"0.1", "0.2", "0.5", "1", "2", "5"}},
      {logarithmic_axis(2.01, 2.11, 5), {"2.02", "2.04", "2.06", "2.08", "2.1"}},
      {logarithmic_axis(1e-9, 1e9, 6),
       {"1e-09", "1e-07", "1e-05", "0.001", "0.1", "10", "1000", "100000", "10000000", "1000000000"}},
  };
  for (const auto& each : cases) EXPECT_EQ(labels(each.axis), each.labels);
  for (const double high : {1e15 + 0.125, 1e15 + 1e7, 2e15}) {
    const Strings ticks = labels(linear_axis(1e15, high, 4));
    EXPECT_GE(ticks.size(), 3u);
    EXPECT_EQ(std::adjacent_find(ticks.begin(), ticks.end()), ticks.end()) << ticks.front();
  }
}

// ---- the curves of a training run

using Pairs = std::vector<std::pair<double, double>>;

Pairs pairs(const std::vector<ChartPoint>& points) {
  Pairs pairs;
  for (const ChartPoint& point : points) pairs.emplace_back(point.x, point.y);
  return pairs;
}
Pairs pairs(const ChartSeries& series) {
  return pairs(series.points);
}

TrainingHistory run(const std::string& name) {
  return {.name = name,
          .loss = {{1, 8}, {2, 6}, {3, 5}},
          .learning_rate = {{1, 0.001}, {2, 0.002}, {3, 0.003}},
          .valid_loss = {{2, 7}, {3, 6.5}, {4, 6.75}},
          .valid_bleu = {{2, 10}, {3, 12.25}, {4, NAN}}};
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
  EXPECT_EQ(chart.panels[0].note, "") << "there is no room beside its heading";
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
  TrainingHistory longer = {.name = "long"};
  for (double step = 1; step <= 1000; ++step) longer.loss.push_back({step, step});
  LineChart chart = training_chart({longer, run("short")});
  ASSERT_EQ(chart.panels[0].series[0].points.size(), 200u);
  EXPECT_EQ(pairs(chart.panels[0].series[0])[0], std::make_pair(3.0, 3.0));
  EXPECT_EQ(pairs(chart.panels[0].series[0])[199], std::make_pair(998.0, 998.0));
  EXPECT_EQ(pairs(chart.panels[0].series[1]), (Pairs{{2, 19.0 / 3}}));  // the same windows
  EXPECT_EQ(chart.legend[2].name, "training, means of 5 steps");

  longer.loss.push_back({1001, 7});
  chart = training_chart({longer});
  EXPECT_EQ(chart.legend[0].name, "training, means of 10 steps");
  EXPECT_EQ(pairs(chart.panels[0].series[0]).back(), std::make_pair(1001.0, 7.0));
}

TEST(TrainingChart, OfAnyStepNumbers) {
  const auto last = static_cast<double>(std::numeric_limits<Index>::max());
  const TrainingHistory hostile = {.name = "hostile", .loss = {{0, 1}, {last, 1e308}, {last, 1e308}}};
  EXPECT_LT(to_svg(training_chart({hostile})).size(), 10000u);
}

// ---- the log

constexpr const char* kTwoSteps =
    "{\"step\": 1, \"epoch\": 0, \"loss\": 9.5, \"learning_rate\": 0.001, \"seconds\": 0.25}\n"
    "{\"step\": 2, \"epoch\": 0, \"loss\": 8.25, \"learning_rate\": 0.002, \"seconds\": 0.5}\n";

class TrainingHistoryOf : public testing::Test {
 protected:
  TrainingHistory read(const std::string& log) {
    return read_training_history("a", folder_.write("log", log));
  }
  std::string error(const std::string& log) {
    return error_of([&] { read(log); });
  }
  void expect_error(const std::string& log, const std::string& place_and_problem) {
    const std::string message = error(log);
    EXPECT_TRUE(contains(message, folder_.path_of("log") + place_and_problem)) << message;
    EXPECT_TRUE(contains(message, " (hint: ")) << message;
  }

  const TemporaryFolder folder_;
};

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
  const TrainingHistory history = read_training_history("a", path);
  EXPECT_EQ(pairs(history.loss), (Pairs{{1, 3.5}}));
  EXPECT_EQ(pairs(history.learning_rate), (Pairs{{1, 1e-3}}));
  ASSERT_EQ(history.valid_loss.size(), 1u);
  EXPECT_TRUE(std::isnan(history.valid_loss[0].y));
  EXPECT_EQ(history.valid_bleu[0].y, 30.25);
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
    EXPECT_EQ(read(kTwoSteps + line.substr(0, written)).loss.size(), 2u) << written;
  EXPECT_EQ(read(kTwoSteps + line + "\n").loss.size(), 3u);
}

TEST_F(TrainingHistoryOf, ALogWithoutAStep) {
  for (const std::string log : {"", "{\"step\": 1, \"lo", "{\"step\": 0, \"skipped\": \"the loss\"}\n"})
    expect_error(log, ": holds no step yet");
  EXPECT_TRUE(contains(error_of([&] { read_training_history("a", folder_.path_of("nothing")); }),
                       "nothing: no such file"));
}

TEST_F(TrainingHistoryOf, AHostileLog) {
  const std::string steps = kTwoSteps;
  const std::pair<std::string, const char*> cases[] = {
      {steps + "{\"step\": 3, \"loss\": }\n", ":3: byte 20: expected a value"},
      {steps + "\n{\"step\": 3, \"loss\": 1}\n", ":3: byte 0: "},
      {"[1, 2]\n", ":1: has no \"step\""},
      {"{\"step\": -1, \"loss\": 1}\n", ":1: has no \"step\""},
      {"{\"step\": 1, \"loss\": \"low\"}\n", ":1: \"loss\" is not a number"},
      {"{\"step\": 1, \"loss\": 1, \"learning_rate\": []}\n", ":1: \"learning_rate\" is not a number"},
      {"{\"step\": 1, \"valid_loss\": 1, \"valid_bleu\": true}\n", ":1: \"valid_bleu\" is not"},
      {steps + kTwoSteps, ":3: step 1 comes after step 2"},
      {"{\"step\": 1, \"loss\": 1, \"\xff\": 1}\n", ":1: not valid UTF-8"}};
  for (const auto& [log, message] : cases) expect_error(log, message);
  EXPECT_TRUE(contains(error("{\"step\": 1, \"x\": [0" + repeated(",0", 2000) + "]}\n"), "too many values"));
}

// ---- the command

TEST(CurveCommand, DrawsTheLogOfATraining) {
  const TemporaryFolder folder;
  write_text(folder);
  ASSERT_EQ(
      run_program(train_arguments(folder, "model", {"--validate-every", "2", "--valid-bleu", "3"})).exit_code,
      0);
  const ProgramResult result = run_program({"curve", "--model", folder.path_of("model")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(is_well_formed(result.out)) << result.out;
  EXPECT_TRUE(contains(result.out, "/model</title>\n<desc>"));
  EXPECT_TRUE(contains(result.out, "/model: 6 steps, in validation the lowest"));
  EXPECT_TRUE(contains(result.out, ">BLEU (validation, greedy)<"));
}

TEST(CurveCommand, DrawsSeveralRuns) {
  const TemporaryFolder folder;
  const std::string one = folder.path_of("a < b"), other = folder.path_of("other");
  for (const std::string& model : {one, other}) {
    std::filesystem::create_directory(model);
    std::ofstream(model + "/log.jsonl") << kTwoSteps;
  }
  const ProgramResult result = run_program({"curve", "--model", one, "--model", other});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "/a &lt; b: 2 steps. " + other + ": 2 steps.</desc>")) << result.out;
}

TEST(CurveCommand, SaysWhatItCannotDraw) {
  const TemporaryFolder folder;
  const std::string model = folder.path_of("");
  const auto fails = [](std::vector<std::string> arguments, const std::string& message, int exit_code) {
    arguments.insert(arguments.begin(), "curve");
    return refused(run_program(arguments), {message}, exit_code);
  };
  EXPECT_TRUE(fails({"--model", folder.path_of("none")}, "none: no such folder", 1));
  EXPECT_TRUE(fails({}, "--model is required", 2));
  std::vector<std::string> seven;
  for (int i = 0; i < 7; ++i) seven.insert(seven.end(), {"--model", model});
  EXPECT_TRUE(fails(seven, "at most 6 runs", 2));
}

}  // namespace
}  // namespace plainformer
