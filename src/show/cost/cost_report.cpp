#include "show/cost/cost_report.h"

#include "core/number_text.h"
#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "model_folder/weights.h"
#include "platform/platform.h"
#include "report/numbers.h"

namespace plainformer {

namespace {

// A unit in which the largest number of a column has few digits before the point.
struct Unit {
  double size;
  std::string name;  // after a number: " M"
  int decimals;

  std::string format(double number) const { return fixed_text(number / size, decimals) + name; }
};

Unit unit_for(double largest) {
  if (largest < 1e7) return {1e3, " k", 1};
  if (largest < 1e10) return {1e6, " M", 1};
  return {1e9, " G", 1};
}

Unit unit_of_time(double largest) {
  return largest < 10 ? Unit{1e-3, " ms", 1} : Unit{1, " s", 1};
}

double arithmetic_seconds(const CostReport& report, double multiply_adds) {
  return 2 * multiply_adds / report.operations_a_second;
}

// The least time of a step.
double step_seconds(const CostReport& report) {
  return arithmetic_seconds(report, total(report.cost()).multiply_adds());
}

std::string describe_batch(const CostReport& report) {
  const BatchShape& b = report.batch;
  return "a batch: " + count_of(b.batch(), "sentence") + " of " + std::to_string(b.source_len()) +
         " source and " + std::to_string(b.target_len()) + " target tokens, " +
         fixed_text(b.source_positions(), 0) + " and " + fixed_text(b.target_positions(), 0) + " in all\n";
}

Table parts_table(const CostReport& report) {
  TrainingCost cost = report.cost();
  const PartCost all = total(cost);
  cost.push_back(all);
  const Unit products = unit_for(all.multiply_adds());
  const Unit time = unit_of_time(step_seconds(report));
  Table table = {.columns = {{"part"},
                             {"parameters", ColumnKind::kNumber},
                             {"forward" + products.name, ColumnKind::kNumber, products.decimals},
                             {"backward" + products.name, ColumnKind::kNumber, products.decimals},
                             {"at peak" + time.name, ColumnKind::kNumber, time.decimals},
                             {"share", ColumnKind::kShare}}};
  for (const PartCost& part : cost) {
    table.rows.push_back({part.name, part.parameters, part.forward / products.size,
                          part.backward / products.size,
                          arithmetic_seconds(report, part.multiply_adds()) / time.size,
                          part.multiply_adds() / all.multiply_adds()});
  }
  return table;
}

struct MemoryKind {
  const char* name;
  double bytes;
};

std::vector<MemoryKind> kinds_of(const TrainingMemory& memory) {
  return {
      {"weights", memory.weights},
      {"gradients", memory.gradients},
      {"Adam's two moments", memory.moments},
      {"sines and cosines", memory.positions},
      {"activations, kept for the backward pass", memory.activations},
      {"then the loss: logits, gradient", memory.loss},
      {"then the backward pass: gradients between operations", memory.layer_again + memory.gradients_between},
      {"tensors at the peak (with the larger of the last two)", memory.tensors_at_peak()},
      {"scratch of the threads, at most", memory.scratch}};
}

Table memory_table(const CostReport& report) {
  const std::vector<MemoryKind> kept = kinds_of(report.memory(false)), again = kinds_of(report.memory(true));
  const double largest = report.memory(false).tensors_at_peak();
  const Unit unit = largest < 1e7 ? Unit{1e3, " kB", 1} : Unit{1e6, " MB", 1};
  Table table = {.columns = {{"memory"},
                             {unit.name.substr(1), ColumnKind::kNumber, unit.decimals},
                             {"--recompute", ColumnKind::kNumber, unit.decimals}}};
  for (std::size_t i = 0; i < kept.size(); ++i)
    table.rows.push_back({kept[i].name, kept[i].bytes / unit.size, again[i].bytes / unit.size});
  return table;
}

std::string describe_training(const CostReport& report) {
  const auto steps = static_cast<double>(report.steps);
  std::string operations = scientific_text(steps * training_operations(report.config, report.batch), 2);
  operations.erase(operations.find('+'), 1);
  return "\n" + std::to_string(report.steps) + " such steps: " + operations +
         " operations as the equations write them; here at least " +
         format_duration(steps * step_seconds(report)) + "\n";
}

std::string describe_machine(const CostReport& report) {
  const double seconds = step_seconds(report);
  return std::string("\nThis machine: kernels ") + kernels().name + ", " + count_of(threads(), "thread") +
         ", " + fixed_text(report.operations_a_second / 1e9, 0) +
         " GFLOP/s at its peak. A step takes at least " + unit_of_time(seconds).format(seconds) + ".\n";
}

}  // namespace

TrainingMemory CostReport::memory(bool recomputed) const {
  return training_memory(config, batch, TrainingMethod::in_use(config.vocab, recomputed), threads());
}

std::string to_text(const CostReport& report) {
  return report.name + ": " + describe_sizes(report.config) + "\n" + describe_batch(report) +
         "\nA training step: multiply-adds of matrix products forward and backward, time at the peak\n\n" +
         render_table(parts_table(report), /*with_bars=*/is_terminal(1)) + "\n" +
         render_table(memory_table(report), /*with_bars=*/false) + describe_machine(report) +
         describe_training(report);
}

std::string to_text(const CostReport& report, const MeasuredStep& step) {
  const double tensors = report.memory(report.recompute).tensors_at_peak();
  const Table table = {
      .columns = {{"a step that ran"}, {"account"}, {"run"}},
      .rows = {{"bytes of tensors at the peak", fixed_text(tensors, 0), fixed_text(step.peak_bytes, 0)},
               {"milliseconds (account: at least)", fixed_text(1e3 * step_seconds(report), 1),
                fixed_text(1e3 * step.seconds, 1)}}};
  return "\n" + render_table(table, /*with_bars=*/false);
}

}  // namespace plainformer
