#include "show/curve/training_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "core/input_error.h"
#include "data/text.h"
#include "io/json.h"
#include "report/numbers.h"

namespace plainformer {

namespace {

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
        "a log holds one run; give each its own --log");
  }
  return *step->size();
}

// ---- the chart

using Step = TrainingHistory::Step;
using Validation = TrainingHistory::Validation;

constexpr Index kMostMeans = 200;

// 1, 2, 5, 10, 20, ...: the first that makes at most kMostMeans windows of the longest run's steps.
Index window_of(const std::vector<NamedHistory>& runs) {
  Index last = 0;
  for (const NamedHistory& run : runs) {
    if (!run.history.steps.empty()) last = std::max(last, run.history.steps.back().step);
  }
  for (Index power = 1;; power *= 10) {
    for (const Index factor : {1, 2, 5}) {
      if ((last - 1) / (factor * power) < kMostMeans) return factor * power;
    }
  }
}

// The mean of each window of steps, drawn at the mean of its step numbers.
std::vector<ChartPoint> means(const std::vector<Step>& steps, Index window, double Step::*value) {
  std::vector<ChartPoint> points;
  for (auto begin = steps.begin(); begin != steps.end();) {
    const Index number = (begin->step - 1) / window;
    ChartPoint sum = {0, 0};
    double count = 0;
    auto end = begin;
    for (; end != steps.end() && (end->step - 1) / window == number; ++end) {
      sum.x += static_cast<double>(end->step);
      sum.y += (*end).*value;
      ++count;
    }
    points.push_back({sum.x / count, sum.y / count});
    begin = end;
  }
  return points;
}

std::vector<ChartPoint> points(const std::vector<Validation>& validations, double Validation::*value) {
  std::vector<ChartPoint> points;
  for (const Validation& each : validations) points.push_back({static_cast<double>(each.step), each.*value});
  return points;
}

// nullptr if no validation has the value.
const Validation* best(const TrainingHistory& history, double Validation::*value, bool lowest) {
  const Validation* found = nullptr;
  for (const Validation& each : history.validations) {
    if (std::isnan(each.*value)) continue;
    if (!found || (lowest ? each.*value < found->*value : each.*value > found->*value)) found = &each;
  }
  return found;
}

// "lowest loss 2.214 at step 7500", or nothing.
std::string lowest_loss(const TrainingHistory& history) {
  const Validation* lowest = best(history, &Validation::loss, /*lowest=*/true);
  if (!lowest) return "";
  return "lowest loss " + format_fixed(lowest->loss, 3) + " at step " + std::to_string(lowest->step);
}

std::string highest_bleu(const TrainingHistory& history) {
  const Validation* highest = best(history, &Validation::bleu, /*lowest=*/false);
  if (!highest) return "";
  return "highest BLEU " + format_fixed(highest->bleu, 1) + " at step " + std::to_string(highest->step);
}

std::string description(const std::vector<NamedHistory>& runs) {
  std::string text;
  for (const auto& [name, history] : runs) {
    text += (text.empty() ? "" : " ") + name + ": " + count_of(std::ssize(history.steps), "step");
    if (!lowest_loss(history).empty()) text += ", in validation the " + lowest_loss(history);
    if (!highest_bleu(history).empty()) text += ", " + highest_bleu(history);
    text += ".";
  }
  return text;
}

std::string means_of(Index window) {
  return window == 1 ? "training" : "training, means of " + std::to_string(window) + " steps";
}

// One run: a color for training and one for validation. Several: a color for each run.
struct Colors {
  bool several;

  int training(std::size_t run) const { return several ? static_cast<int>(run) : 0; }
  int validation(std::size_t run) const { return several ? static_cast<int>(run) : 1; }
};

// With the lowest loss of a single run: it has no room beside the heading.
std::string validation_of(const std::vector<NamedHistory>& runs, const Colors& colors) {
  const std::string lowest = colors.several ? "" : lowest_loss(runs[0].history);
  return lowest.empty() ? "validation" : "validation: " + lowest;
}

std::vector<ChartLegendEntry> legend(const std::vector<NamedHistory>& runs, Index window,
                                     const Colors& colors) {
  std::vector<ChartLegendEntry> entries;
  for (std::size_t i = 0; i < runs.size() && colors.several; ++i)
    entries.push_back({runs[i].name, static_cast<int>(i), ChartLine::kMarked});
  entries.push_back({means_of(window), colors.several ? kPictureInk : colors.training(0), ChartLine::kThin});
  const auto has_validations = [](const NamedHistory& run) { return !run.history.validations.empty(); };
  if (std::any_of(runs.begin(), runs.end(), has_validations))
    entries.push_back({validation_of(runs, colors), colors.several ? kPictureInk : colors.validation(0),
                       ChartLine::kMarked});
  return entries;
}

ChartPanel loss_panel(const std::vector<NamedHistory>& runs, Index window, const Colors& colors) {
  ChartPanel panel = {
      .heading = "Loss (nats per target token, logarithmic)", .logarithmic = true, .height = 220};
  for (std::size_t i = 0; i < runs.size(); ++i)
    panel.series.push_back({means(runs[i].history.steps, window, &Step::loss), colors.training(i)});
  for (std::size_t i = 0; i < runs.size(); ++i) {  // drawn on top of all noisy curves
    panel.series.push_back(
        {points(runs[i].history.validations, &Validation::loss), colors.validation(i), ChartLine::kMarked});
  }
  return panel;
}

ChartPanel bleu_panel(const std::vector<NamedHistory>& runs, const Colors& colors) {
  ChartPanel panel = {.heading = "BLEU (validation, greedy)"};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    panel.series.push_back(
        {points(runs[i].history.validations, &Validation::bleu), colors.validation(i), ChartLine::kMarked});
  }
  if (!colors.several) panel.note = highest_bleu(runs[0].history);
  return panel;
}

ChartPanel learning_rate_panel(const std::vector<NamedHistory>& runs, Index window, const Colors& colors) {
  ChartPanel panel = {.heading = "Learning rate", .height = 64};
  for (std::size_t i = 0; i < runs.size(); ++i)
    panel.series.push_back({means(runs[i].history.steps, window, &Step::learning_rate), colors.training(i)});
  return panel;
}

}  // namespace

TrainingHistory read_training_history(const std::string& path) {
  std::ifstream file = open_text_file(path, kMaxLogBytes);
  LineReader reader(file, path);
  TrainingHistory history;
  Index step = 0;
  for (std::string line; reader.next(line) && !file.eof();) {
    const std::string where = reader.where();
    const JsonValue entry = parse_json(line, where, kMaxValuesInALine);
    step = step_in(entry, step, where);
    if (entry.find("averaged")) continue;
    if (entry.find("valid_loss")) {
      history.validations.push_back(
          {step, number_in(entry, "valid_loss", where), number_in(entry, "valid_bleu", where)});
    } else if (entry.find("loss")) {
      history.steps.push_back(
          {step, number_in(entry, "loss", where), number_in(entry, "learning_rate", where)});
    }
  }
  if (history.steps.empty() && history.validations.empty())
    throw input_error(path, "holds no step yet", "wait for the first, or name another run");
  return history;
}

LineChart training_chart(const std::vector<NamedHistory>& runs) {
  CHECK(!runs.empty() && std::ssize(runs) <= kMostCurves, "runs=", runs.size());
  const Index window = window_of(runs);
  const Colors colors = {.several = runs.size() > 1};
  LineChart chart = {
      .title = "Training of " + (colors.several ? std::to_string(runs.size()) + " runs" : runs[0].name),
      .description = description(runs),
      .x_label = "step",
      .legend = legend(runs, window, colors)};
  chart.panels.push_back(loss_panel(runs, window, colors));
  const auto has_bleu = [](const NamedHistory& run) { return !highest_bleu(run.history).empty(); };
  if (std::any_of(runs.begin(), runs.end(), has_bleu)) chart.panels.push_back(bleu_panel(runs, colors));
  chart.panels.push_back(learning_rate_panel(runs, window, colors));
  return chart;
}

}  // namespace plainformer
