#include "lab/table_1/layers_tables.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <optional>

#include "core/number_text.h"
#include "core/storage.h"
#include "lab/benchmark/benchmark_measure.h"
#include "lab/table_1/layer_cost.h"
#include "lab/table_1/layer_path.h"
#include "lab/table_1/random_inputs.h"
#include "transformer/initialize.h"

namespace plainformer {

namespace {

using Kind = TableColumn::Kind;

constexpr Index kFewestSamples = 3;
constexpr double kShortestLayerSample = 0.005;  // seconds

struct Measured {
  double seconds, megabytes;
};

// One pass over one sequence, forward and backward, by a new layer.
std::function<void()> pass_of(LayerKind kind, const LayerSizes& sizes, Index n) {
  SequenceLayer layer = make_bare_layer(kind, sizes, 0);
  initialize(layer.parameters, 1);
  const Tensor x = random_input({1, n, sizes.d}, 1), grad_output = random_input({1, n, sizes.d}, 2);
  return [=] {
    layer.forward(x);
    layer.backward(grad_output);
  };
}

// The processor time of a call, in seconds, summed over all threads. Unlike wall-clock time, it hardly depends on
// the other programs of the machine. (On Windows std::clock measures wall-clock time all the same.)
// As many calls as make at least kShortestLayerSample.
double processor_seconds(const std::function<void()>& work) {
  const std::clock_t begin = std::clock();
  std::clock_t end = begin;
  Index calls = 0;
  while (static_cast<double>(end - begin) < kShortestLayerSample * CLOCKS_PER_SEC) {
    work();
    ++calls;
    end = std::clock();
  }
  return static_cast<double>(end - begin) / CLOCKS_PER_SEC / static_cast<double>(calls);
}

// The median of at least kFewestSamples, after a pass that warms up, and the most memory that the tensors of a
// pass take.
Measured measure_layer(const LayersSettings& settings, LayerKind kind, const LayerSizes& sizes, Index n) {
  pass_of(kind, sizes, n)();  // the threads take their working memory
  const std::function<void()> pass = pass_of(kind, sizes, n);
  const auto before = storage_statistics().used_bytes;
  restart_storage_peak();
  pass();
  const auto most = storage_statistics().peak_used_bytes;
  std::vector<double> samples;
  const double begin = steady_clock();
  while (std::ssize(samples) < kFewestSamples || steady_clock() - begin < settings.seconds)
    samples.push_back(processor_seconds(pass));
  std::sort(samples.begin(), samples.end());
  return {samples[samples.size() / 2], static_cast<double>(most - before) / 1e6};
}

// Empty if there is no text.
TableCell text_cell(const std::string& text) {
  return text.empty() ? TableCell() : TableCell(text);
}

std::string count_text(Index count) {
  return std::to_string(count);
}

// Rows: kinds. Columns: the values at each x, the exponent, and the paper's.
Table sweep_table(const std::vector<Index>& at, const std::string& variable, int decimals) {
  Table table = {.columns = {{"layer", "layer"}}, .rows = {}};
  for (const Index x : at)
    table.columns.push_back(
        {variable + "_" + count_text(x), variable + " = " + count_text(x), Kind::kNumber, decimals});
  table.columns.push_back({"exponent", "exponent", Kind::kNumber, 2});
  table.columns.push_back({"paper", "paper", Kind::kNumber, 0});
  return table;
}

void add_row(Table& table, LayerKind kind, const std::vector<MeasuredPoint>& points,
             const std::optional<double>& of_paper) {
  std::vector<TableCell> row = {name_of(kind)};
  for (const MeasuredPoint& point : points) row.emplace_back(point.y);
  row.emplace_back(fitted_exponent(points));
  row.push_back(of_paper ? TableCell(*of_paper) : TableCell());
  table.rows.push_back(row);
}

}  // namespace

LayersSection cost_section(const LayersSettings& s) {
  LayersSection section = {.key = "cost",
                           .title = "Work of one layer, forward",
                           .note = "n = " + count_text(s.n) + ", d = " + count_text(s.sizes.d) + ", k = " +
                                   count_text(s.sizes.kernel) + ", r = " + count_text(s.sizes.neighbors) +
                                   ", global positions g = " + count_text(s.sizes.global) +
                                   "; attention without its projections, which make 4 n d^2 more",
                           .table = {.columns = {{"layer", "layer"},
                                                 {"paper", "paper"},
                                                 {"formula", "with constants"},
                                                 {"formula_value", "multiply-adds", Kind::kNumber},
                                                 {"counted", "counted", Kind::kNumber},
                                                 {"waiting_formula", "in sequence", Kind::kNumber},
                                                 {"waiting_counted", "counted", Kind::kNumber}},
                                     .rows = {}}};
  const auto number = [](std::int64_t value) { return static_cast<double>(value); };
  for (const LayerKind kind : s.kinds) {
    const LayerCost cost = counted_cost(kind, s.sizes, s.n);
    section.table.rows.push_back({name_of(kind), text_cell(paper_order(kind)), formula_text(kind),
                                  number(formula_multiply_adds(kind, s.sizes, s.n)),
                                  number(cost.multiply_adds), number(formula_operation_calls(kind, s.n)),
                                  number(cost.operation_calls)});
    if (!is_attention(kind)) continue;
    const std::int64_t more =
        counted_cost_with_projections(kind, s.sizes, s.n).multiply_adds - cost.multiply_adds;
    section.table.rows.push_back({"  its projections",
                                  {},
                                  "4 n d^2",
                                  number(4 * std::int64_t{s.n} * s.sizes.d * s.sizes.d),
                                  number(more),
                                  {},
                                  {}});
  }
  return section;
}

std::vector<LayersSection> time_sections(const LayersSettings& s, const Announce& announce,
                                         LayerCurves& curves) {
  LayersSection against_n = {.key = "time_n",
                             .title = "Processor time against n, forward and backward, in milliseconds",
                             .note = "d = " + count_text(s.sizes.d) + "; medians",
                             .table = sweep_table(s.lengths, "n", 2)};
  LayersSection memory = {.key = "memory_n",
                          .title = "Memory against n, forward and backward, in megabytes",
                          .note = "the most that all tensors take at once, without the input",
                          .table = sweep_table(s.lengths, "n", 2)};
  memory.table.columns.pop_back();
  LayersSection against_d = {
      .key = "time_d",
      .title = "Processor time against d, forward and backward, in milliseconds",
      .note = "n = " + count_text(s.n) + "; heads of " + count_text(s.head_width) + "; medians",
      .table = sweep_table(s.widths, "d", 2)};
  for (const LayerKind kind : s.kinds) {
    std::vector<MeasuredPoint> times, megabytes, times_of_widths;
    for (const Index n : s.lengths) {
      announce(name_of(kind) + ", n = " + count_text(n));
      const Measured measured = measure_layer(s, kind, s.sizes, n);
      times.push_back({double(n), 1e3 * measured.seconds});
      megabytes.push_back({double(n), measured.megabytes});
    }
    for (const Index d : s.widths) {
      announce(name_of(kind) + ", d = " + count_text(d));
      times_of_widths.push_back({double(d), 1e3 * measure_layer(s, kind, s.sizes_at(d), s.n).seconds});
    }
    add_row(against_n.table, kind, times, paper_exponents(kind).n);
    add_row(against_d.table, kind, times_of_widths, paper_exponents(kind).d);
    add_row(memory.table, kind, megabytes, std::nullopt);
    memory.table.rows.back().pop_back();
    curves.push_back({kind, times});
  }
  return {against_n, memory, against_d};
}

LayersSection path_section(const LayersSettings& s, const Announce& announce, LayerCurves& curves) {
  LayersSection section = {
      .key = "path",
      .title = "Layers until the last position has heard all others, found by gradients",
      .note = "k = " + count_text(s.sizes.kernel) + ", r = " + count_text(s.sizes.neighbors) +
              "; after each number the formula's, and at the end the operations that the path goes through",
      .table = {.columns = {{"layer", "layer"}, {"paper", "paper"}}, .rows = {}}};
  for (const Index n : s.path_lengths) {
    section.table.columns.push_back({"found_" + count_text(n), "n = " + count_text(n), Kind::kNumber});
    section.table.columns.push_back({"formula_" + count_text(n), "formula", Kind::kNumber});
  }
  section.table.columns.push_back({"operations", "operations", Kind::kNumber});
  for (const LayerKind kind : s.kinds) {
    announce(name_of(kind));
    std::vector<TableCell> row = {name_of(kind), text_cell(paper_path(kind))};
    LayerCurve curve = {kind, {}};
    LayerSizes narrow = s.sizes;  // the path does not depend on the width
    narrow.heads = 1;
    narrow.d = 4;
    for (const Index n : s.path_lengths) {
      const Index found = layers_until_all_is_heard(kind, narrow, n, n);
      row.emplace_back(double(found));
      row.emplace_back(double(formula_layers(kind, narrow, n)));
      const auto waiting = counted_cost(kind, narrow, n).operation_calls;
      curve.points.push_back({double(n), double(found) * double(waiting)});
    }
    row.emplace_back(curve.points.back().y);
    section.table.rows.push_back(row);
    curves.push_back(curve);
  }
  return section;
}

LayersSection task_section(const LayersSettings& s, DistanceTask task, const Announce& announce) {
  const bool is_copy = task == DistanceTask::kCopy;
  const std::string name = is_copy ? "copy" : "recall";
  LayersSection section = {
      .key = name,
      .title =
          is_copy ? "Copy: name the symbol at t - distance" : "Recall: name the marked symbol at the end",
      .note = "right answers on held-out sequences, 16 symbols; " + count_text(s.training.layers) +
              " layers, d = " + count_text(s.sizes.d) + ", k = " + count_text(s.sizes.kernel) + ", r = " +
              count_text(s.sizes.neighbors) + ", at most " + count_text(s.training.steps) + " steps",
      .table = {.columns = {{"layer", "layer"}}, .rows = {}}};
  for (const Index distance : s.distances)
    section.table.columns.push_back(
        {"distance_" + count_text(distance), count_text(distance), Kind::kNumber, 1});
  for (const LayerKind kind : s.kinds) {
    std::vector<TableCell> row = {name_of(kind)};
    for (const Index distance : s.distances) {
      announce(name + ", " + name_of(kind) + ", distance " + count_text(distance));
      row.emplace_back(100 * train_over_distance(task, kind, distance, s.training).accuracy);
    }
    section.table.rows.push_back(row);
  }
  return section;
}

}  // namespace plainformer
