#include "app/experiment/experiments.h"

#include "core/number_text.h"

namespace plainformer {

std::span<const Experiment> experiments() {
  static const std::vector<Experiment> all = {
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
       65536,
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
  };
  return all;
}

std::string as_csv(const Table& table) {
  std::string text;
  for (const TableColumn& column : table.columns) text += (text.empty() ? "" : ",") + column.key;
  text += "\n";
  for (const auto& row : table.rows) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (j > 0) text += ",";
      if (const auto* word = std::get_if<std::string>(&row[j])) text += "\"" + *word + "\"";
      if (const auto* number = std::get_if<double>(&row[j])) text += shortest_text(*number);
    }
    text += "\n";
  }
  return text;
}

}  // namespace plainformer
