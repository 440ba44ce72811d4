// The experiments about norms and the first steps: warm-up and rates (5.3), norms (3.1).
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "core/thread_pool.h"
#include "lab/experiments/experiments.h"
#include "lab/experiments/lookup_settings.h"
#include "lab/experiments/norm_training.h"
#include "lab/experiments/spread_chart.h"
#include "platform/platform.h"
#include "report/number_format.h"
#include "report/progress_bar.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

using Kind = TableColumn::Kind;

struct NormSetting {
  std::string name;
  NormKind kind;
  NormRates rates;
};

// [setting][place in over][seed]
using NormResults = std::vector<std::vector<std::vector<NormResult>>>;

// Trains every setting on the text of each seed, and measures it after each number of steps.
NormResults train_settings(const std::vector<NormSetting>& settings, const std::vector<Index>& steps,
                           const ExperimentOptions& options) {
  NormResults results(settings.size(), std::vector<std::vector<NormResult>>(steps.size()));
  for (Index seed = 1; seed <= options.seeds; ++seed) {
    TranslatorText text =
        translator_text({.seed = seed, .pairs = options.pairs, .held_out = options.sentences});
    ProgressBar bar(std::cerr, understands_escapes(2), std::ssize(settings) * steps.back(),
                    {.unit = "step", .color = color_allowed(2)});
    Index done = 0;
    for (std::size_t i = 0; i < settings.size(); ++i) {
      NormTraining training(settings[i].kind, settings[i].rates, text);
      for (std::size_t place = 0; place < steps.size(); ++place) {
        training.train_until(steps[place], [&] { bar.update(++done, settings[i].name); });
        const NormResult result = training.test();
        bar.print("seed " + std::to_string(seed) + ", " + settings[i].name + ", step " +
                  std::to_string(steps[place]) + ": loss " + format_fixed(result.loss, 3) + ", exact " +
                  format_fixed(result.exact, 1) + " %");
        results[i][place].push_back(result);
      }
    }
    bar.finish();
  }
  return results;
}

// A number, or nothing if it is not finite.
TableCell cell(double number) {
  return std::isfinite(number) ? TableCell(number) : TableCell();
}

Spread training_loss(const std::vector<NormResult>& results) {
  return spread_of(results, [](const NormResult& result) { return result.training_loss; });
}
Spread loss(const std::vector<NormResult>& results) {
  return spread_of(results, [](const NormResult& result) { return result.loss; });
}
Spread exact(const std::vector<NormResult>& results) {
  return spread_of(results, [](const NormResult& result) { return result.exact; });
}

// A row for each number of steps and each setting: means over the seeds, and the range of two of them.
Table table_of_means(const std::vector<NormSetting>& settings, const std::vector<Index>& over,
                     const NormResults& results) {
  Table table;
  table.columns = {{"steps", "steps", Kind::kNumber},
                   {"setting", "setting"},
                   {"training_loss", "training loss", Kind::kNumber, 3},
                   {"loss", "held-out loss", Kind::kNumber, 3},
                   {"loss_lowest", "lowest", Kind::kNumber, 3},
                   {"loss_highest", "highest", Kind::kNumber, 3},
                   {"exact", "exact %", Kind::kNumber, 1},
                   {"exact_lowest", "lowest", Kind::kNumber, 1},
                   {"exact_highest", "highest", Kind::kNumber, 1}};
  for (std::size_t place = 0; place < over.size(); ++place)
    for (std::size_t setting = 0; setting < settings.size(); ++setting) {
      const auto& seeds = results[setting][place];
      table.rows.push_back({double(over[place]), settings[setting].name, cell(training_loss(seeds).mean),
                            cell(loss(seeds).mean), cell(loss(seeds).lowest), cell(loss(seeds).highest),
                            exact(seeds).mean, exact(seeds).lowest, exact(seeds).highest});
    }
  return table;
}

// A row for each seed and each setting, at the last step.
TitledTable table_of_seeds(const std::vector<NormSetting>& settings, const NormResults& results) {
  Table table;
  table.columns = {{"seed", "seed", Kind::kNumber},
                   {"setting", "setting"},
                   {"training_loss", "training loss", Kind::kNumber, 3},
                   {"loss", "held-out loss", Kind::kNumber, 3},
                   {"exact", "exact %", Kind::kNumber, 1}};
  for (std::size_t seed = 0; seed < results[0].back().size(); ++seed)
    for (std::size_t setting = 0; setting < settings.size(); ++setting) {
      const NormResult& result = results[setting].back()[seed];
      table.rows.push_back({double(seed + 1), settings[setting].name, cell(result.training_loss),
                            cell(result.loss), result.exact});
    }
  return {"Each seed, at the last step", table};
}

// Two panels with a line for each name.
LineChart chart_with(const std::vector<std::string>& names, const std::string& x_label) {
  const int lines = static_cast<int>(names.size());
  return {.x_label = x_label,
          .legend = spread_legend(names),
          .panels = {spread_panel("Held-out loss (nats per token), mean and range", lines),
                     spread_panel("Exact match (%), mean and range", lines)}};
}

// Adds the loss of a row if it is finite, and the shares of exact matches.
void add_row(LineChart& chart, int line, double x, const Table& table, const std::vector<TableCell>& row,
             const Spread& exact) {
  if (has_number(table, row, "loss"))
    add_spread(chart.panels[0], line, x,
               {number_in(table, row, "loss"), number_in(table, row, "loss_lowest"),
                number_in(table, row, "loss_highest")});
  add_spread(chart.panels[1], line, x, exact);
}

// A table_of_means against the steps.
LineChart chart_of_means(const Table& table) {
  std::vector<std::string> names;
  for (const auto& row : table.rows) {
    const std::string name = text_in(table, row, "setting");
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  LineChart chart = chart_with(names, "steps");
  for (const auto& row : table.rows) {
    const auto name = std::find(names.begin(), names.end(), text_in(table, row, "setting"));
    add_row(chart, static_cast<int>(name - names.begin()), number_in(table, row, "steps"), table, row,
            exact_in(table, row));
  }
  return chart;
}

std::string note_of(const ExperimentOptions& options, const std::string& models) {
  return "preset toy, " + models + "; seeds: " + std::to_string(options.seeds) +
         ", largest learning rate: " + format_fixed(options.learning_rate, 5) +
         ", threads: " + std::to_string(threads()) + "; held-out: " + std::to_string(options.sentences) +
         " pairs for the loss, as many sentences, greedy";
}

}  // namespace

ExperimentReport run_warm_up(const ExperimentOptions& options) {
  std::vector<NormSetting> settings;
  for (const NormKind kind : {NormKind::kPostNorm, NormKind::kPreNorm})
    for (const bool warms_up : {true, false})
      settings.push_back({std::string(name_of(kind)) + (warms_up ? ", warm-up" : ", no warm-up"), kind,
                          toy_rates(options.learning_rate, warms_up)});
  const NormResults results = train_settings(settings, options.over, options);

  ExperimentReport report;
  report.note = note_of(options, "with its warm-up of 300 steps, or at the largest rate from step 1 on");
  report.table = table_of_means(settings, options.over, results);
  report.more = {table_of_seeds(settings, results)};
  report.chart = chart_of_warm_up(tables_of(report));
  return report;
}

LineChart chart_of_warm_up(const std::vector<Table>& tables) {
  LineChart chart = chart_of_means(tables.at(0));
  chart.title = "Training with and without a warm-up";
  chart.description =
      "Loss and exact match of held-out text against the steps of training, post-norm and pre-norm, with the "
      "warm-up and at the largest rate from step 1 on: mean and range.";
  return chart;
}

ExperimentReport run_rates(const ExperimentOptions& options) {
  constexpr NormKind kKinds[] = {NormKind::kPostNorm, NormKind::kPreNorm};
  std::vector<NormSetting> settings;
  for (const Index factor : options.over)
    for (const NormKind kind : kKinds)
      settings.push_back({std::string(name_of(kind)) + ", times " + std::to_string(factor), kind,
                          toy_rates(options.learning_rate, /*warms_up=*/false, double(factor))});
  const NormResults results = train_settings(settings, {options.steps}, options);

  ExperimentReport report;
  report.note = note_of(options, "at several times the largest rate from step 1 on, " +
                                     std::to_string(options.steps) + " steps");
  report.table.columns = {{"factor", "factor", Kind::kNumber},
                          {"norm", "norm"},
                          {"training_loss", "training loss", Kind::kNumber, 3},
                          {"loss", "held-out loss", Kind::kNumber, 3},
                          {"loss_lowest", "lowest", Kind::kNumber, 3},
                          {"loss_highest", "highest", Kind::kNumber, 3},
                          {"exact", "exact %", Kind::kNumber, 1}};
  for (std::size_t setting = 0; setting < settings.size(); ++setting) {
    const auto& seeds = results[setting][0];
    const double factor = settings[setting].rates.factor;
    report.table.rows.push_back({factor, name_of(settings[setting].kind), cell(training_loss(seeds).mean),
                                 cell(loss(seeds).mean), cell(loss(seeds).lowest), cell(loss(seeds).highest),
                                 exact(seeds).mean});
  }
  report.chart = chart_of_rates(tables_of(report));
  return report;
}

LineChart chart_of_rates(const std::vector<Table>& tables) {
  const std::vector<std::string> norms = {name_of(NormKind::kPostNorm), name_of(NormKind::kPreNorm)};
  LineChart chart = chart_with(norms, "factor of the largest rate");
  chart.panels[1].heading = "Exact match (%), mean";
  chart.logarithmic_x = true;
  const Table& table = tables.at(0);
  for (const auto& row : table.rows) {
    const double exact = number_in(table, row, "exact");
    add_row(chart, text_in(table, row, "norm") == norms[0] ? 0 : 1, number_in(table, row, "factor"), table,
            row, {exact, exact, exact});
  }
  chart.title = "Larger rates, without a warm-up";
  chart.description =
      "Loss and exact match of held-out text against the factor by which the rate exceeds the preset's "
      "largest, post-norm and pre-norm, from step 1 on: mean and range.";
  return chart;
}

ExperimentReport run_norms(const ExperimentOptions& options) {
  const NormRates rates = toy_rates(options.learning_rate, /*warms_up=*/true);
  const std::vector<NormSetting> settings = {{"layer norm", NormKind::kPostNorm, rates},
                                             {"batch norm", NormKind::kBatchNorm, rates}};
  const NormResults results = train_settings(settings, options.over, options);

  Table moments;
  moments.columns = {{"steps", "steps", Kind::kNumber},
                     {"running", "running moments", Kind::kNumber, 3},
                     {"by_batch", "the batch's", Kind::kNumber, 3},
                     {"by_sentence", "one sentence's", Kind::kNumber, 3}};
  for (std::size_t place = 0; place < options.over.size(); ++place) {
    const auto& seeds = results[1][place];
    const auto by_batch =
        spread_of(seeds, [](const NormResult& result) { return result.loss_by_batch.value(); });
    const auto by_sentence =
        spread_of(seeds, [](const NormResult& result) { return result.loss_by_sentence.value(); });
    moments.rows.push_back(
        {double(options.over[place]), cell(loss(seeds).mean), cell(by_batch.mean), cell(by_sentence.mean)});
  }
  ExperimentReport report;
  report.note = note_of(options, "with layer norm, and with batch norm over the tokens of a batch");
  report.table = table_of_means(settings, options.over, results);
  report.more = {table_of_seeds(settings, results),
                 {"Held-out loss with batch norm, by the moments that the norms take", moments}};
  report.chart = chart_of_norms(tables_of(report));
  return report;
}

LineChart chart_of_norms(const std::vector<Table>& tables) {
  LineChart chart = chart_of_means(tables.at(0));
  chart.title = "Layer norm and batch norm";
  chart.description =
      "Loss and exact match of held-out text against the steps of training, with layer norm and with batch "
      "norm: mean and range.";
  return chart;
}

}  // namespace plainformer
