// The experiments that train nothing: gradient, length.
#include <cmath>
#include <iostream>

#include "core/thread_pool.h"
#include "lab/experiments/attention_cost.h"
#include "lab/experiments/experiments.h"
#include "lab/experiments/softmax_gradient.h"
#include "lab/table_1/power_law.h"
#include "platform/platform.h"
#include "report/number_format.h"
#include "report/progress_bar.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

using Kind = TableColumn::Kind;

ChartSeries marked_line(int color) {
  return {.points = {}, .color = color, .line = ChartLine::kMarked};
}

// A line that lies on another in places.
ChartSeries dashed_line(int color) {
  return {.points = {}, .color = color, .line = ChartLine::kMarked, .dashed = true};
}

// A sentence on the exponents that were fitted to at least two lengths.
std::string exponent_remark(const std::string& quantity, const std::vector<MeasuredPoint>& softmax,
                            const std::vector<MeasuredPoint>& linear) {
  return quantity + " grows as n^" + format_fixed(fitted_exponent(softmax), 2) + " with softmax and as n^" +
         format_fixed(fitted_exponent(linear), 2) + " with linear attention (fitted).";
}

}  // namespace

ExperimentReport run_gradient(const ExperimentOptions& options) {
  const SoftmaxGradientOptions settings;
  ExperimentReport report;
  report.note = "random queries, each with " + std::to_string(settings.keys) + " random keys: means over " +
                std::to_string(settings.queries) +
                " queries of the norm of the softmax's Jacobian and of the largest weight";
  report.table.columns = {{"d_k", "d_k", Kind::kNumber},
                          {"variance", "variance of q.k", Kind::kNumber, 2},
                          {"norm", "norm", Kind::kNumber, 4},
                          {"norm_scaled", "norm, scaled", Kind::kNumber, 4},
                          {"largest", "largest weight", Kind::kNumber, 4},
                          {"largest_scaled", "largest, scaled", Kind::kNumber, 4}};
  report.chart = {
      .title = "The gradient of the softmax as d_k grows",
      .description =
          "The norm of the softmax's Jacobian and the largest weight of random queries "
          "and keys, with and without the division by sqrt(d_k), against d_k.",
      .x_label = "d_k",
      .logarithmic_x = true,
      .legend = {{"softmax(q · k)", 0, ChartLine::kMarked},
                 {"softmax(q · k / sqrt(d_k))", 1, ChartLine::kMarked}},
      .panels = {
          {.heading = "Norm of the Jacobian", .series = {marked_line(0), marked_line(1)}, .encloses = {0}},
          {.heading = "Largest weight", .series = {marked_line(0), marked_line(1)}, .encloses = {0}}}};
  report.chart.x_ticks.assign(options.over.begin(), options.over.end());
  ProgressBar bar(std::cerr, understands_escapes(2), std::ssize(options.over),
                  {.unit = "d_k", .color = color_allowed(2)});
  for (const Index d_k : options.over) {
    const SoftmaxGradient g = softmax_gradient(d_k, settings);
    const auto x = double(d_k);
    report.table.rows.push_back(
        {double(d_k), g.variance, g.norm, g.scaled_norm, g.largest_weight, g.scaled_largest_weight});
    report.chart.panels[0].series[0].points.push_back({x, g.norm});
    report.chart.panels[0].series[1].points.push_back({x, g.scaled_norm});
    report.chart.panels[1].series[0].points.push_back({x, g.largest_weight});
    report.chart.panels[1].series[1].points.push_back({x, g.scaled_largest_weight});
    bar.update(std::ssize(report.table.rows));
  }
  bar.finish();
  return report;
}

namespace {

LineChart length_chart(const std::vector<Index>& lengths) {
  return {.title = "Time and memory against the length",
          .description =
              "Milliseconds and megabytes of a forward and backward pass of softmax "
              "attention and of linear attention, against the number of positions.",
          .x_label = "n, positions",
          .logarithmic_x = true,
          .x_ticks = {lengths.begin(), lengths.end()},
          .legend = {{"softmax attention", 0, ChartLine::kMarked},
                     {"linear attention", 1, ChartLine::kMarked, /*dashed=*/true}},
          .panels = {{.heading = "Time (ms)",
                      .series = {marked_line(0), dashed_line(1)},
                      .logarithmic = true,
                      .height = 190},
                     {.heading = "Memory (MB)",
                      .series = {marked_line(0), dashed_line(1)},
                      .logarithmic = true,
                      .height = 190}}};
}

}  // namespace

ExperimentReport run_length(const ExperimentOptions& options) {
  AttentionCostOptions settings;
  settings.seconds = options.seconds;
  constexpr double kMegabyte = 1e6;
  ExperimentReport report;
  report.note = "forward and backward, causal, one sentence, " + std::to_string(settings.heads) +
                " heads of " + std::to_string(settings.d_k) + ", threads: " + std::to_string(threads()) +
                "; the most memory at one time, with inputs and gradients";
  report.table.columns = {{"n", "n", Kind::kNumber},
                          {"softmax_milliseconds", "softmax ms", Kind::kNumber, 2},
                          {"linear_milliseconds", "linear ms", Kind::kNumber, 2},
                          {"softmax_over_linear", "softmax/linear", Kind::kNumber, 2},
                          {"softmax_megabytes", "softmax MB", Kind::kNumber, 2},
                          {"linear_megabytes", "linear MB", Kind::kNumber, 2}};
  report.chart = length_chart(options.over);
  std::vector<MeasuredPoint> softmax_times, linear_times, softmax_bytes, linear_bytes;
  ProgressBar bar(std::cerr, understands_escapes(2), std::ssize(options.over),
                  {.unit = "length", .color = color_allowed(2)});
  for (const Index n : options.over) {
    const AttentionCost linear = cost_of_linear_attention(n, settings);
    const AttentionCost softmax = cost_of_softmax_attention(n, settings);
    report.table.rows.push_back({double(n), 1e3 * softmax.seconds, 1e3 * linear.seconds,
                                 softmax.seconds / linear.seconds, softmax.bytes / kMegabyte,
                                 linear.bytes / kMegabyte});
    const auto x = double(n);
    report.chart.panels[0].series[0].points.push_back({x, 1e3 * softmax.seconds});
    report.chart.panels[0].series[1].points.push_back({x, 1e3 * linear.seconds});
    report.chart.panels[1].series[0].points.push_back({x, softmax.bytes / kMegabyte});
    report.chart.panels[1].series[1].points.push_back({x, linear.bytes / kMegabyte});
    softmax_times.push_back({double(n), softmax.seconds});
    linear_times.push_back({double(n), linear.seconds});
    softmax_bytes.push_back({double(n), softmax.bytes});
    linear_bytes.push_back({double(n), linear.bytes});
    bar.update(std::ssize(report.table.rows));
  }
  bar.finish();
  if (options.over.size() > 1)
    report.remarks = {exponent_remark("Time", softmax_times, linear_times),
                      exponent_remark("Memory", softmax_bytes, linear_bytes)};
  return report;
}

}  // namespace plainformer
