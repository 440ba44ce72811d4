#include "lab/experiments/experiments.h"

#include "core/check.h"
#include "io/json.h"

namespace plainformer {

namespace {

// The experiments that test a trained Transformer in ways in which it was not trained.
std::vector<Experiment> experiments_with_trained_models() {
  return {
      {"positions",
       "Sentences longer than in training, with sines and with learned positions (3.5)",
       "words",
       run_positions,
       {10},
       14,
       500,
       chart_of_positions,
       2000},
      {"ablation",
       "A trained model without one of its heads, and without several (3.2.2)",
       "heads",
       run_ablation,
       {4},
       128,
       500,
       chart_of_ablation,
       500},
      {"mask",
       "Translating without the causal mask (3.2.3)",
       "decoder layers",
       run_mask,
       {1, 2, 3},
       12,
       500,
       chart_of_mask,
       500},
  };
}

std::vector<Experiment> other_experiments() {
  return {
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
       0,
       nullptr,
       500},
  };
}

}  // namespace

std::span<const Experiment> experiments() {
  static const std::vector<Experiment> all = [] {
    std::vector<Experiment> joined = other_experiments();
    for (const Experiment& each : experiments_with_trained_models()) joined.push_back(each);
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

// A row of a record: its keys are the table's columns.
void add_row(Table& table, const JsonObject& row) {
  std::vector<TableCell> cells;
  for (const auto& [key, value] : row) {
    if (table.rows.empty()) table.columns.push_back({key, key});
    if (value.string())
      cells.emplace_back(*value.string());
    else if (value.number())
      cells.emplace_back(*value.number());
    else
      cells.emplace_back();
  }
  table.rows.push_back(cells);
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

std::vector<Table> tables_of(const JsonValue& record) {
  std::vector<Table> tables;
  const JsonValue* recorded = record.find("tables");
  CHECK(recorded && recorded->array(), "a record without tables");
  for (const JsonValue& each : *recorded->array()) {
    tables.emplace_back();
    for (const JsonValue& row : *each.find("rows")->array()) add_row(tables.back(), *row.object());
  }
  return tables;
}

std::vector<Table> tables_of(const ExperimentReport& report) {
  std::vector<Table> tables = {report.table};
  for (const TitledTable& each : report.more) tables.push_back(each.table);
  return tables;
}

}  // namespace plainformer
