// The experiments that train a LookupModel: scores, heads, copy, recall.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <mutex>

#include "command_line/command_line.h"
#include "core/thread_pool.h"
#include "lab/experiments/experiments.h"
#include "lab/experiments/lookup_settings.h"
#include "platform/platform.h"
#include "report/progress_bar.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

using Kind = TableColumn::Kind;

// The results of every setting with every seed, [setting][seed]. The training runs are shared among the
// threads, each on one thread alone, so the results do not depend on the number of threads.
std::vector<std::vector<LookupResult>> train_all(const std::vector<LookupSetting>& settings,
                                                 const ExperimentOptions& options) {
  const Index seeds = options.seeds, count = std::ssize(settings) * seeds;
  std::vector<std::vector<LookupResult>> results(settings.size(),
                                                 std::vector<LookupResult>(static_cast<std::size_t>(seeds)));
  ProgressBar bar(std::cerr, understands_escapes(2), count, {.unit = "training", .color = color_allowed(2)});
  std::mutex mutex;
  Index done = 0;
  parallel_for(count, 1, [&](Index begin, Index end) {
    for (Index run = begin; run < end; ++run) {
      const LookupSetting& setting = settings[run / seeds];
      LookupTraining training;
      training.steps = options.steps;
      training.learning_rate = options.learning_rate;
      training.seed = static_cast<std::uint64_t>(run % seeds + 1);
      results[run / seeds][run % seeds] = train_lookup(setting.model, setting.task, training);
      const std::lock_guard<std::mutex> lock(mutex);
      bar.update(++done, setting.series);
    }
  });
  bar.finish();
  return results;
}

// A logarithmic axis has no 0, and smaller losses than this tell nothing.
constexpr double kLeastLossDrawn = 1e-4;

Spread drawable(const Spread& loss) {
  return {std::max(loss.mean, kLeastLossDrawn), std::max(loss.lowest, kLeastLossDrawn),
          std::max(loss.highest, kLeastLossDrawn)};
}

// Adds the mean of a setting to the line of its series, and its range as a thin upright line.
void add_point(ChartPanel& panel, std::size_t line, int color, double x, const Spread& y) {
  panel.series[line].points.push_back({x, y.mean});
  panel.series.push_back(
      {.points = {{x, y.lowest}, {x, y.highest}}, .color = color, .line = ChartLine::kThin});
}

ExperimentReport report_on(const std::vector<LookupSetting>& settings, const ExperimentOptions& options,
                           const std::string& number) {
  const auto results = train_all(settings, options);
  ExperimentReport report;
  report.note = "training runs of each setting: " + std::to_string(options.seeds) + ", of " +
                std::to_string(options.steps) +
                " steps; on new examples: share of right answers and loss, "
                "as mean, lowest and highest";
  report.table.columns = {{"number", number, Kind::kNumber},
                          {"series", "attention"},
                          {"accuracy", "right", Kind::kNumber, 4},
                          {"accuracy_lowest", "lowest", Kind::kNumber, 4},
                          {"accuracy_highest", "highest", Kind::kNumber, 4},
                          {"loss", "loss", Kind::kNumber, 4},
                          {"loss_lowest", "lowest", Kind::kNumber, 4},
                          {"loss_highest", "highest", Kind::kNumber, 4}};
  LineChart& chart = report.chart;
  chart.x_label = number;
  chart.logarithmic_x = true;
  chart.x_ticks.assign(options.over.begin(), options.over.end());
  chart.panels = {
      {.heading = "Share of right answers, mean and range", .height = 190},
      {.heading = "Loss (nats), mean and range; drawn from 0.0001 on", .logarithmic = true, .height = 190}};
  std::map<std::string, int> colors;  // the lines of a panel come first, in this order
  for (const LookupSetting& setting : settings) {
    const int color = static_cast<int>(colors.size());
    if (!colors.emplace(setting.series, color).second) continue;
    const bool dashed = color >= 2;  // several lines lie at 1, so that the first would be hidden
    chart.legend.push_back({setting.series, color, ChartLine::kMarked, dashed});
    for (ChartPanel& panel : chart.panels)
      panel.series.push_back({.points = {}, .color = color, .line = ChartLine::kMarked, .dashed = dashed});
  }
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const LookupSetting& setting = settings[i];
    const Spread accuracy = spread_of(results[i], &LookupResult::accuracy),
                 loss = spread_of(results[i], &LookupResult::loss);
    report.table.rows.push_back({double(setting.x), setting.series, accuracy.mean, accuracy.lowest,
                                 accuracy.highest, loss.mean, loss.lowest, loss.highest});
    const int color = colors.at(setting.series);
    const auto line = static_cast<std::size_t>(color);
    add_point(chart.panels[0], line, color, double(setting.x), accuracy);
    add_point(chart.panels[1], line, color, double(setting.x), drawable(loss));
  }
  return report;
}

}  // namespace

ExperimentReport run_scores(const ExperimentOptions& options) {
  ExperimentReport report = report_on(score_settings(options.over), options, "d_k");
  report.chart.title = "Scores of attention as d_k grows";
  report.chart.description =
      "The share of right answers and the loss of four scores, trained to recall one of 16 pairs, against "
      "d_k.";
  return report;
}

ExperimentReport run_heads(const ExperimentOptions& options) {
  for (const Index heads : options.over)
    if (64 % heads != 0) throw UsageError("--over: " + std::to_string(heads) + " heads do not divide 64");
  ExperimentReport report = report_on(head_settings(options.over), options, "heads");
  report.chart.title = "One head or several at equal cost";
  report.chart.description =
      "The share of right answers and the loss of attention with several heads, trained to recall two of 16 "
      "pairs at once, against the number of heads.";
  return report;
}

ExperimentReport run_copy(const ExperimentOptions& options) {
  ExperimentReport report = report_on(copy_settings(options.over), options, "values");
  report.chart.title = "Copying";
  report.chart.description =
      "The share of right answers and the loss of softmax and of linear attention, trained to copy, against "
      "the number of values.";
  return report;
}

ExperimentReport run_recall(const ExperimentOptions& options) {
  ExperimentReport report = report_on(recall_settings(options.over), options, "pairs");
  report.chart.title = "Associative recall";
  report.chart.description =
      "The share of right answers and the loss of softmax and of linear attention, trained to recall one of "
      "several pairs, against the number of pairs.";
  return report;
}

}  // namespace plainformer
