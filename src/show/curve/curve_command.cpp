// plainformer curve: log.jsonl as a picture.
#include "show/curve/training_chart.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

#include "core/check.h"
#include "core/input_error.h"
#include "core/number_text.h"
#include "data/text.h"
#include "io/atomic_file.h"
#include "io/json.h"
#include "model_folder/model_folder.h"
#include "report/command_line.h"
#include "report/numbers.h"
#include "report/terminal.h"
#include "show/commands.h"

namespace plainformer {

namespace {

using Points = std::vector<ChartPoint>;
using Runs = std::vector<TrainingHistory>;

// ---- the log

constexpr std::uintmax_t kMaxLogBytes = 1 << 30;  // millions of steps
constexpr Index kMaxValuesInALine = 1000;
constexpr const char* kHint = "this must be the log.jsonl of a training run";

double number_in(const JsonValue& entry, const char* name, const std::string& where) {
  const JsonValue* value = entry.find(name);
  if (!value || value->is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (!value->number()) throw input_error(where, std::string("\"") + name + "\" is not a number", kHint);
  return *value->number();
}

Index step_in(const JsonValue& entry, Index last_step, const std::string& where) {
  const JsonValue* step = entry.find("step");
  if (!step || !step->size()) throw input_error(where, "has no \"step\", or none that is a number", kHint);
  if (*step->size() < last_step) {
    throw input_error(
        where, "step " + std::to_string(*step->size()) + " comes after step " + std::to_string(last_step),
        "a log holds one run");
  }
  return *step->size();
}

// ---- the chart

constexpr double kMostMeans = 200;

// 1, 2, 5, 10, 20, ...: the first that makes at most kMostMeans windows of the longest run's steps.
double window_of(const Runs& runs) {
  double last = 0;
  for (const TrainingHistory& run : runs) {
    if (!run.loss.empty()) last = std::max(last, run.loss.back().x);
  }
  for (double power = 1;; power *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (std::floor((last - 1) / (factor * power)) < kMostMeans) return factor * power;
    }
  }
}

// The mean of each window of steps, drawn at the mean of its step numbers.
Points means(const Points& steps, double window) {
  const auto number_of = [&](const ChartPoint& step) { return std::floor((step.x - 1) / window); };
  Points points;
  for (auto begin = steps.begin(); begin != steps.end();) {
    ChartPoint sum = {0, 0};
    auto end = begin;
    for (; end != steps.end() && number_of(*end) == number_of(*begin); ++end) {
      sum.x += end->x;
      sum.y += end->y;
    }
    const auto count = static_cast<double>(end - begin);
    points.push_back({sum.x / count, sum.y / count});
    begin = end;
  }
  return points;
}

// "lowest loss 2.214 at step 7500", or nothing if no value is finite.
//   sign   -1 for the lowest, 1 for the highest
std::string best_of(const Points& points, double sign, const char* name, int decimals) {
  ChartPoint best = {0, -sign * INFINITY};
  for (const ChartPoint& each : points)
    if (sign * each.y > sign * best.y) best = each;
  if (std::isinf(best.y)) return "";
  return name + (" " + fixed_text(best.y, decimals)) + " at step " + fixed_text(best.x, 0);
}

std::string lowest_loss(const TrainingHistory& run) {
  return best_of(run.valid_loss, -1, "lowest loss", 3);
}

std::string highest_bleu(const TrainingHistory& run) {
  return best_of(run.valid_bleu, 1, "highest BLEU", 1);
}

std::string description(const Runs& runs) {
  std::string text;
  for (const TrainingHistory& run : runs) {
    text += (text.empty() ? "" : " ") + run.name + ": " + count_of(std::ssize(run.loss), "step");
    if (!lowest_loss(run).empty()) text += ", in validation the " + lowest_loss(run);
    if (!highest_bleu(run).empty()) text += ", " + highest_bleu(run);
    text += ".";
  }
  return text;
}

// One run: a color for training and one for validation. Several: a color for each run.
struct Colors {
  bool several;

  int training(std::size_t run) const { return several ? static_cast<int>(run) : 0; }
  int validation(std::size_t run) const { return several ? static_cast<int>(run) : 1; }
};

// A single run's lowest loss is written here: beside the heading it has no room.
std::vector<ChartLegendEntry> legend(const Runs& runs, double window, const Colors& colors) {
  std::vector<ChartLegendEntry> entries;
  for (std::size_t i = 0; i < runs.size() && colors.several; ++i)
    entries.push_back({runs[i].name, static_cast<int>(i), ChartLine::kMarked});
  const std::string means_of = window == 1 ? "" : ", means of " + fixed_text(window, 0) + " steps";
  entries.push_back({"training" + means_of, colors.several ? kChartInk : 0, ChartLine::kThin});
  const auto has_validations = [](const TrainingHistory& run) { return !run.valid_loss.empty(); };
  if (std::any_of(runs.begin(), runs.end(), has_validations)) {
    const std::string lowest = colors.several ? "" : lowest_loss(runs[0]);
    entries.push_back({lowest.empty() ? "validation" : "validation: " + lowest,
                       colors.several ? kChartInk : 1, ChartLine::kMarked});
  }
  return entries;
}

ChartPanel loss_panel(const Runs& runs, double window, const Colors& colors) {
  ChartPanel panel = {
      .heading = "Loss (nats per target token, logarithmic)", .logarithmic = true, .height = 220};
  for (std::size_t i = 0; i < runs.size(); ++i)
    panel.series.push_back({means(runs[i].loss, window), colors.training(i)});
  for (std::size_t i = 0; i < runs.size(); ++i)  // drawn on top of all noisy curves
    panel.series.push_back({runs[i].valid_loss, colors.validation(i), ChartLine::kMarked});
  return panel;
}

ChartPanel bleu_panel(const Runs& runs, const Colors& colors) {
  ChartPanel panel = {.heading = "BLEU (validation, greedy)"};
  for (std::size_t i = 0; i < runs.size(); ++i)
    panel.series.push_back({runs[i].valid_bleu, colors.validation(i), ChartLine::kMarked});
  if (!colors.several) panel.note = highest_bleu(runs[0]);
  return panel;
}

ChartPanel learning_rate_panel(const Runs& runs, double window, const Colors& colors) {
  ChartPanel panel = {.heading = "Learning rate", .height = 64};
  for (std::size_t i = 0; i < runs.size(); ++i)
    panel.series.push_back({means(runs[i].learning_rate, window), colors.training(i)});
  return panel;
}

// The end of a long path, which tells it from others: at least a folder and its parent.
std::string short_name(std::string path) {
  constexpr int kMostColumns = 45;
  while (display_width(path) > kMostColumns && std::count(path.begin(), path.end(), '/') > 1)
    path.erase(0, path.find('/') + 1);
  return path;
}

}  // namespace

TrainingHistory read_training_history(const std::string& name, const std::string& path) {
  std::ifstream file = open_text_file(path, kMaxLogBytes);
  LineReader reader(file, path);
  TrainingHistory history = {.name = name};
  Index step = 0;
  for (std::string line; reader.next(line) && !file.eof();) {
    const std::string where = reader.where();
    const JsonValue entry = parse_json(line, where, kMaxValuesInALine);
    step = step_in(entry, step, where);
    const auto x = static_cast<double>(step);
    if (entry.find("averaged")) continue;
    if (entry.find("valid_loss")) {
      history.valid_loss.push_back({x, number_in(entry, "valid_loss", where)});
      history.valid_bleu.push_back({x, number_in(entry, "valid_bleu", where)});
    } else if (entry.find("loss")) {
      history.loss.push_back({x, number_in(entry, "loss", where)});
      history.learning_rate.push_back({x, number_in(entry, "learning_rate", where)});
    }
  }
  if (history.loss.empty() && history.valid_loss.empty())
    throw input_error(path, "holds no step yet", "wait for the first, or name another run");
  return history;
}

LineChart training_chart(const Runs& runs) {
  CHECK(!runs.empty() && std::ssize(runs) <= kMostCurves, "runs=", runs.size());
  const double window = window_of(runs);
  const Colors colors = {.several = runs.size() > 1};
  LineChart chart = {
      .title = "Training of " + (colors.several ? std::to_string(runs.size()) + " runs" : runs[0].name),
      .description = description(runs),
      .x_label = "step",
      .legend = legend(runs, window, colors)};
  chart.panels.push_back(loss_panel(runs, window, colors));
  const auto has_bleu = [](const TrainingHistory& run) { return !highest_bleu(run).empty(); };
  if (std::any_of(runs.begin(), runs.end(), has_bleu)) chart.panels.push_back(bleu_panel(runs, colors));
  chart.panels.push_back(learning_rate_panel(runs, window, colors));
  return chart;
}

// ---- the command

int curve_command(const Arguments& arguments) {
  std::vector<std::string> models;
  CommandLine line(
      "plainformer curve --model DIR [--model DIR ...] > curve.svg",
      "Draws the curves of one training run, or of several in one picture: loss, BLEU and learning rate "
      "against steps, as an SVG file. Values that are logged at each step are drawn as at most 200 means of "
      "consecutive steps. The training may still be running.");
  line.required("--model", "DIR", &models, "the model folder of a run; may be repeated");
  if (!line.read(arguments)) return finish_output();
  if (models.size() > kMostCurves)
    throw UsageError("one picture can show at most " + std::to_string(kMostCurves) + " runs");

  std::vector<TrainingHistory> runs;
  for (const std::string& model : models) {
    require_folder(ModelFolder(model));
    runs.push_back(read_training_history(short_name(model), ModelFolder(model).log()));
  }
  std::cout << to_svg(training_chart(runs));
  return finish_output();
}

}  // namespace plainformer
