#include "lab/experiments/experiments.h"

#include "io/json.h"
#include "lab/experiments/norm_training.h"

namespace plainformer {

namespace {

// Small tasks that train one layer, or nothing.
std::vector<Experiment> experiments_with_small_tasks() {
  return {{.name = "scores",
           .title = "Scores of attention as d_k grows (3.2.1)",
           .number = "d_k",
           .run = run_scores,
           .over = {4, 8, 16, 32, 64, 128, 256},
           .largest = 4096,
           .steps = 500},
          {.name = "gradient",
           .title = "The gradient of the softmax as d_k grows (3.2.1)",
           .number = "d_k",
           .run = run_gradient,
           .over = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024},
           .largest = 32768,
           .draws = true},
          {.name = "heads",
           .title = "One head or several at equal cost (3.2.2)",
           .number = "heads",
           .run = run_heads,
           .over = {1, 2, 4, 8, 16},
           .largest = 64,
           .steps = 1000},
          {.name = "copy",
           .title = "Copying, by softmax and by linear attention",
           .number = "values",
           .run = run_copy,
           .over = {4, 8, 16, 32},
           .largest = 512,
           .steps = 600},
          {.name = "recall",
           .title = "Associative recall, by softmax and by linear attention",
           .number = "pairs",
           .run = run_recall,
           .over = {4, 8, 16, 32, 64},
           .largest = 64,
           .steps = 3000},
          {.name = "length",
           .title = "Time and memory of softmax and of linear attention",
           .number = "positions",
           .run = run_length,
           .over = {256, 512, 1024, 2048, 4096, 8192, 16384},
           .largest = 1 << 20}};
}

// Other models than the paper's, trained on the built-in text beside it, or the paper's in other ways.
std::vector<Experiment> experiments_with_variants() {
  const double rate = toy_peak_rate();
  return {{.name = "translators",
           .title = "The Transformer, and chains with and without attention (1, 2)",
           .number = "steps",
           .run = run_translators,
           .over = {100, 200, 300, 500, 1000},
           .largest = 1'000'000,
           .sentences = 500},
          {.name = "warm-up",
           .title = "Training with and without a warm-up, post-norm and pre-norm (5.3)",
           .number = "steps",
           .run = run_warm_up,
           .over = {100, 200, 300},
           .largest = 1'000'000,
           .learning_rate = rate,
           .sentences = 500,
           .chart = chart_of_warm_up},
          {.name = "rates",
           .title = "Several times the largest learning rate, without a warm-up (5.3)",
           .number = "factor",
           .run = run_rates,
           .over = {1, 2, 4, 8, 16},
           .largest = 1000,
           .steps = 300,
           .learning_rate = rate,
           .sentences = 500,
           .chart = chart_of_rates},
          {.name = "norms",
           .title = "Layer norm and batch norm (3.1)",
           .number = "steps",
           .run = run_norms,
           .over = {100, 200, 300},
           .largest = 1'000'000,
           .learning_rate = rate,
           .sentences = 500,
           .chart = chart_of_norms}};
}

// A trained Transformer, used in ways in which it was not trained.
std::vector<Experiment> experiments_with_trained_models() {
  return {{.name = "positions",
           .title = "Sentences longer than in training, with sines and with learned positions (3.5)",
           .number = "words",
           .run = run_positions,
           .over = {10},
           .largest = 14,
           .steps = 500,
           .sentences = 2000,
           .chart = chart_of_positions},
          {.name = "ablation",
           .title = "A trained model without one of its heads, and without several (3.2.2)",
           .number = "heads",
           .run = run_ablation,
           .over = {4},
           .largest = 128,
           .steps = 500,
           .sentences = 500,
           .chart = chart_of_ablation},
          {.name = "mask",
           .title = "Translating without the causal mask (3.2.3)",
           .number = "decoder layers",
           .run = run_mask,
           .over = {1, 2, 3},
           .largest = 12,
           .steps = 500,
           .sentences = 500,
           .chart = chart_of_mask}};
}

}  // namespace

std::span<const Experiment> experiments() {
  static const std::vector<Experiment> all = [] {
    std::vector<Experiment> joined = experiments_with_small_tasks();
    for (const auto& more : {experiments_with_variants(), experiments_with_trained_models()})
      joined.insert(joined.end(), more.begin(), more.end());
    return joined;
  }();
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

std::vector<Table> tables_of(const ExperimentReport& report) {
  std::vector<Table> tables = {report.table};
  for (const TitledTable& each : report.more) tables.push_back(each.table);
  return tables;
}

}  // namespace plainformer
