// The experiments that train nothing: gradient, length.
#include <algorithm>
#include <cmath>
#include <iostream>

#include "core/thread_pool.h"
#include "lab/experiments/attention_cost.h"
#include "lab/experiments/experiments.h"
#include "lab/experiments/lookup_settings.h"
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

namespace {

LineChart gradient_chart(const std::vector<Index>& widths) {
  return {.title = "The gradient of the softmax as d_k grows",
          .description =
              "The norm of the softmax's Jacobian, the largest weight, and the norm of the gradient that "
              "reaches a query, of random queries and keys, for three divisors of the scores, against d_k.",
          .x_label = "d_k",
          .logarithmic_x = true,
          .x_ticks = {widths.begin(), widths.end()},
          .legend = {{"q · k", 0, ChartLine::kMarked},
                     {"q · k / sqrt(d_k)", 1, ChartLine::kMarked},
                     {"q · k / d_k", 2, ChartLine::kMarked}},
          .panels = {{.heading = "Norm of the Jacobian, at the scores",
                      .series = {marked_line(0), marked_line(1), marked_line(2)},
                      .encloses = {0}},
                     {.heading = "Largest weight",
                      .series = {marked_line(0), marked_line(1), marked_line(2)},
                      .encloses = {0}},
                     {.heading = "Norm at the query; median dashed",
                      .note = "from 0.001 on",
                      .series = {marked_line(0), marked_line(1), marked_line(2), dashed_line(0)},
                      .logarithmic = true}}};
}

Table query_gradient_table() {
  Table table;
  table.columns = {{"d_k", "d_k", Kind::kNumber},
                   {"mean", "mean", Kind::kNumber, 4},
                   {"median", "median", Kind::kNumber, 4},
                   {"ninth_decile", "90 %", Kind::kNumber, 4},
                   {"mean_scaled", "scaled: mean", Kind::kNumber, 4},
                   {"median_scaled", "median", Kind::kNumber, 4},
                   {"ninth_decile_scaled", "90 %", Kind::kNumber, 4},
                   {"mean_by_d_k", "/d_k: mean", Kind::kNumber, 4},
                   {"median_by_d_k", "median", Kind::kNumber, 4},
                   {"ninth_decile_by_d_k", "90 %", Kind::kNumber, 4}};
  return table;
}

// The median at the query varies most from one draw to the next, so its lowest and highest are told, too.
Table median_table() {
  Table table;
  table.columns = {{"d_k", "d_k", Kind::kNumber},
                   {"median", "median", Kind::kNumber, 4},
                   {"median_lowest", "lowest", Kind::kNumber, 4},
                   {"median_highest", "highest", Kind::kNumber, 4},
                   {"median_scaled", "scaled: median", Kind::kNumber, 4},
                   {"median_scaled_lowest", "lowest", Kind::kNumber, 4},
                   {"median_scaled_highest", "highest", Kind::kNumber, 4},
                   {"quotient", "quotient", Kind::kNumber, 2},
                   {"quotient_lowest", "lowest", Kind::kNumber, 2},
                   {"quotient_highest", "highest", Kind::kNumber, 2}};
  return table;
}

using Draws = std::vector<SoftmaxGradient>;  // of one d_k, one for each seed

double mean_of_draws(const Draws& draws, DividedScores SoftmaxGradient::*divided,
                     double DividedScores::*number) {
  return spread_of(draws, [&](const SoftmaxGradient& g) { return g.*divided.*number; }).mean;
}

// Adds a row to each table and a point to each line.
void add_gradients(Index d_k, const Draws& draws, ExperimentReport& report) {
  constexpr double kLeastDrawn = 1e-3;
  constexpr DividedScores SoftmaxGradient::*kDivisors[] = {
      &SoftmaxGradient::by_nothing, &SoftmaxGradient::by_root, &SoftmaxGradient::by_d_k};
  constexpr double DividedScores::*kPanels[] = {&DividedScores::norm, &DividedScores::largest_weight,
                                                &DividedScores::query_mean};
  const auto x = double(d_k);
  std::vector<TableCell> at_scores = {x, spread_of(draws, &SoftmaxGradient::variance).mean}, at_query = {x};
  for (const auto divided : kDivisors)
    at_scores.emplace_back(mean_of_draws(draws, divided, &DividedScores::norm));
  for (const auto divided : kDivisors)
    at_scores.emplace_back(mean_of_draws(draws, divided, &DividedScores::largest_weight));
  for (std::size_t line = 0; line < std::size(kDivisors); ++line) {
    for (const auto number :
         {&DividedScores::query_mean, &DividedScores::query_median, &DividedScores::query_ninth_decile})
      at_query.emplace_back(mean_of_draws(draws, kDivisors[line], number));
    for (std::size_t panel = 0; panel < std::size(kPanels); ++panel)
      report.chart.panels[panel].series[line].points.push_back(
          {x, mean_of_draws(draws, kDivisors[line], kPanels[panel])});
  }
  report.table.rows.push_back(at_scores);
  report.more[0].table.rows.push_back(at_query);

  const auto median = [](const SoftmaxGradient& g) { return g.by_nothing.query_median; };
  const auto median_scaled = [](const SoftmaxGradient& g) { return g.by_root.query_median; };
  std::vector<TableCell> medians = {x};
  for (const Spread& spread :
       {spread_of(draws, median), spread_of(draws, median_scaled),
        spread_of(draws, [&](const SoftmaxGradient& g) { return median(g) / median_scaled(g); })})
    medians.insert(medians.end(), {spread.mean, spread.lowest, spread.highest});
  report.more[1].table.rows.push_back(medians);
  report.chart.panels[2].series[3].points.push_back(
      {x, std::max(spread_of(draws, median).mean, kLeastDrawn)});
}

}  // namespace

ExperimentReport run_gradient(const ExperimentOptions& options) {
  SoftmaxGradientOptions settings;
  ExperimentReport report;
  report.note = "random queries, each with " + std::to_string(settings.keys) +
                " random keys; means over draws of " + std::to_string(settings.queries) +
                " queries each (seeds: " + std::to_string(options.seeds) + ")";
  report.table.columns = {{"d_k", "d_k", Kind::kNumber},
                          {"variance", "variance of q.k", Kind::kNumber, 2},
                          {"norm", "norm", Kind::kNumber, 4},
                          {"norm_scaled", "norm, scaled", Kind::kNumber, 4},
                          {"norm_by_d_k", "norm, /d_k", Kind::kNumber, 4},
                          {"largest", "largest weight", Kind::kNumber, 4},
                          {"largest_scaled", "largest, scaled", Kind::kNumber, 4},
                          {"largest_by_d_k", "largest, /d_k", Kind::kNumber, 4}};
  report.more = {
      {.title = "The norm at the query: of the derivatives of the weights by q",
       .table = query_gradient_table()},
      {.title = "The median of that norm in each draw, and how many times that with the root it is",
       .table = median_table()}};
  report.chart = gradient_chart(options.over);
  ProgressBar bar(std::cerr, understands_escapes(2), std::ssize(options.over),
                  {.unit = "d_k", .color = color_allowed(2)});
  for (const Index d_k : options.over) {
    Draws draws;
    for (Index seed = 1; seed <= options.seeds; ++seed) {
      settings.seed = static_cast<std::uint64_t>(seed);
      draws.push_back(softmax_gradient(d_k, settings));
    }
    add_gradients(d_k, draws, report);
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
