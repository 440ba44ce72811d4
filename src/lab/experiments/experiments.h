// The experiments of `plainformer experiment`: each varies one number and reports a table and a picture.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/real.h"
#include "lab/pictures/line_chart.h"
#include "report/table.h"

namespace plainformer {

struct ExperimentOptions {
  std::vector<Index> over;     // the values of the number that varies, ascending
  Index seeds = 5, steps = 0;  // seeds: training runs of each setting, or draws of random numbers
  double learning_rate = 0;
  Index pairs = 40000;    // of the built-in text, where the experiment trains on it
  Index sentences = 500;  // held-out ones of it, which each trained model translates
  double seconds = 1;     // for each measurement of time
};

struct TitledTable {
  std::string title;
  Table table;
};

struct ExperimentReport {
  std::string note;  // the setting
  Table table = {};  // its first column is the number that varies
  std::vector<TitledTable> more = {};
  std::vector<std::string> remarks = {};
  LineChart chart = {};
  std::vector<LineChart> more_charts = {};  // below the first, with x axes of their own
};

struct Experiment {
  const char* name;
  const char* title;
  const char* number;  // what varies: "d_k"
  ExperimentReport (*run)(const ExperimentOptions& options);
  std::vector<Index> over;  // by default
  Index largest;            // of such a number
  Index steps = 0;  // of each training run; 0 if the experiment trains nothing, or if they are what varies
  double learning_rate = 0.003;  // of Adam, at its largest
  Index sentences = 0;           // held-out ones to translate; 0 if it translates none
  bool draws = false;            // it trains nothing, but a seed gives it other random numbers
  // Draws the chart from the tables alone, as from those of a record; null where only `run` can.
  LineChart (*chart)(const std::vector<Table>& tables) = nullptr;
};

std::span<const Experiment> experiments();

ExperimentReport run_scores(const ExperimentOptions& options);
ExperimentReport run_gradient(const ExperimentOptions& options);
ExperimentReport run_heads(const ExperimentOptions& options);
ExperimentReport run_copy(const ExperimentOptions& options);
ExperimentReport run_recall(const ExperimentOptions& options);
ExperimentReport run_length(const ExperimentOptions& options);
ExperimentReport run_translators(const ExperimentOptions& options);
ExperimentReport run_warm_up(const ExperimentOptions& options);
ExperimentReport run_rates(const ExperimentOptions& options);
ExperimentReport run_norms(const ExperimentOptions& options);
ExperimentReport run_positions(const ExperimentOptions& options);
ExperimentReport run_ablation(const ExperimentOptions& options);
ExperimentReport run_mask(const ExperimentOptions& options);

LineChart chart_of_warm_up(const std::vector<Table>& tables);
LineChart chart_of_rates(const std::vector<Table>& tables);
LineChart chart_of_norms(const std::vector<Table>& tables);
LineChart chart_of_positions(const std::vector<Table>& tables);
LineChart chart_of_ablation(const std::vector<Table>& tables);
LineChart chart_of_mask(const std::vector<Table>& tables);

// The note, all tables and the remarks as JSON, for a record:
//   {"note": ..., "tables": [{"title": ..., "rows": [{"steps": 250, "model": "recurrent", ...}]}], "remarks": [...]}
std::string to_json(const Experiment& experiment, const ExperimentReport& report);

// The tables of a report: the first one, then the others.
std::vector<Table> tables_of(const ExperimentReport& report);

}  // namespace plainformer
