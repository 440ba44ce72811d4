#include "lab/experiments/experiments.h"

#include "core/number_text.h"
#include "io/json.h"
#include "lab/experiments/norm_training.h"

namespace plainformer {

namespace {

// The list, and after it the experiments about norms and the first steps.
std::vector<Experiment> with_norm_experiments(std::vector<Experiment> list) {
  const double rate = toy_peak_rate();
  const Index most_steps = 1'000'000, most_times = 1000, steps = 300;
  list.push_back({"warm-up",
                  "Training with and without a warm-up, post-norm and pre-norm (5.3)",
                  "steps",
                  run_warm_up,
                  {100, 200, 300},
                  most_steps,
                  0,
                  rate});
  list.push_back({"rates",
                  "Several times the largest learning rate, without a warm-up (5.3)",
                  "factor",
                  run_rates,
                  {1, 2, 4, 8, 16},
                  most_times,
                  steps,
                  rate});
  list.push_back(
      {"norms", "Layer norm and batch norm (3.1)", "steps", run_norms, {100, 200, 300}, most_steps, 0, rate});
  return list;
}

}  // namespace

std::span<const Experiment> experiments() {
  static const std::vector<Experiment> all = with_norm_experiments({
      {"scores",
       "Scores of attention as d_k grows (3.2.1)",
       "d_k",
       run_scores,
       {4, 8, 16, 32, 64, 128, 256},
       4096,
       500},
      {"gradient",
       "The gradient of the softmax as d_k grows (3.2.1)",
       "d_k",
       run_gradient,
       {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024},
       32768,
       0},
      {"heads", "One head or several at equal cost (3.2.2)", "heads", run_heads, {1, 2, 4, 8, 16}, 64, 1000},
      {"copy", "Copying, by softmax and by linear attention", "values", run_copy, {4, 8, 16, 32}, 512, 600},
      {"recall",
       "Associative recall, by softmax and by linear attention",
       "pairs",
       run_recall,
       {4, 8, 16, 32, 64},
       64,
       3000},
      {"length",
       "Time and memory of softmax and of linear attention",
       "positions",
       run_length,
       {256, 512, 1024, 2048, 4096, 8192, 16384},
       1 << 20,
       0},
      {"translators",
       "The Transformer and a recurrent translator (1, 2)",
       "steps",
       run_translators,
       {100, 200, 300, 500, 1000},
       1'000'000,
       0},
  });
  return all;
}

namespace {

JsonValue json_of(const TableCell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return JsonValue(*text);
  if (const auto* number = std::get_if<double>(&cell)) return JsonValue(*number);
  return {};
}

JsonValue json_of(const std::string& title, const Table& table) {
  JsonArray rows;
  for (const auto& cells : table.rows) {
    JsonObject row;
    for (std::size_t column = 0; column < cells.size(); ++column)
      row.emplace_back(table.columns[column].key, json_of(cells[column]));
    rows.emplace_back(std::move(row));
  }
  return JsonObject{{"title", title}, {"rows", std::move(rows)}};
}

}  // namespace

std::string to_json(const Experiment& experiment, const ExperimentReport& report) {
  JsonArray tables = {json_of(experiment.title, report.table)};
  for (const TitledTable& each : report.more) tables.push_back(json_of(each.title, each.table));
  JsonArray remarks;
  for (const std::string& remark : report.remarks) remarks.emplace_back(remark);
  return to_json(JsonObject{{"experiment", experiment.name},
                            {"note", report.note},
                            {"tables", std::move(tables)},
                            {"remarks", std::move(remarks)}}) +
         "\n";
}

}  // namespace plainformer
