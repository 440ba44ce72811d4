// The experiment `translators`: chapters 1 and 2, measured.
#include <algorithm>
#include <array>
#include <functional>
#include <iostream>
#include <memory>

#include "core/thread_pool.h"
#include "data/text.h"
#include "lab/experiments/experiments.h"
#include "lab/experiments/lookup_settings.h"
#include "lab/experiments/translator_training.h"
#include "lab/experiments/verb_distance.h"
#include "platform/platform.h"
#include "report/number_format.h"
#include "report/progress_bar.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

using Kind = TableColumn::Kind;

constexpr std::array kKinds = {TranslatorKind::kTransformer, TranslatorKind::kRecurrent};

// Sentences of a range of lengths, or of distances, and how many of them each model translates right.
struct SentenceGroup {
  Index from, to;
  Index sentences = 0;
  std::array<Index, kKinds.size()> right = {};
};

struct TranslatorRuns {
  // [kind][place in over][seed]
  std::array<std::vector<std::vector<TranslatorResult>>, kKinds.size()> results;
  std::array<Index, kKinds.size()> weights = {};
  std::vector<SentenceGroup> by_length = {{3, 5}, {6, 8}, {9, 11}, {12, 14}};
  std::vector<SentenceGroup> by_distance = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 14}};
};

double percent_right(const TranslatorResult& result) {
  return 100.0 * static_cast<double>(std::count(result.right.begin(), result.right.end(), true)) /
         static_cast<double>(result.right.size());
}

void count(std::vector<SentenceGroup>& groups, Index number, const std::array<bool, kKinds.size()>& right) {
  for (SentenceGroup& group : groups) {
    if (number < group.from || number > group.to) continue;
    ++group.sentences;
    for (std::size_t kind = 0; kind < kKinds.size(); ++kind) group.right[kind] += right[kind] ? 1 : 0;
  }
}

// Trains both models on one text. They take turns, so that whatever else the machine does slows both alike.
void run_seed(Index seed, const ExperimentOptions& options, TranslatorRuns& runs) {
  TranslatorText text =
      translator_text({.seed = seed, .learning_rate = options.learning_rate, .held_out = options.sentences});
  std::vector<std::unique_ptr<TranslatorTraining>> trainings;
  for (const TranslatorKind kind : kKinds)
    trainings.push_back(std::make_unique<TranslatorTraining>(kind, text));
  ProgressBar bar(std::cerr, understands_escapes(2), 2 * options.over.back(),
                  {.unit = "step", .color = color_allowed(2)});
  Index done = 0;
  for (std::size_t place = 0; place < options.over.size(); ++place)
    for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
      trainings[kind]->train_until(options.over[place], [&] { bar.update(++done, name_of(kKinds[kind])); });
      runs.results[kind][place].push_back(trainings[kind]->test());
      runs.weights[kind] = trainings[kind]->weights();
    }
  bar.finish();

  for (std::size_t i = 0; i < text.text.test.size(); ++i) {
    const ToyPair& pair = text.text.test[i];
    std::array<bool, kKinds.size()> right = {};
    for (std::size_t kind = 0; kind < kKinds.size(); ++kind)
      right[kind] = runs.results[kind].back().back().right[i];
    count(runs.by_length, std::ssize(split_words(pair.source)), right);
    count(runs.by_distance, verb_distance(pair), right);
  }
}

Table table_of_groups(const std::string& key, const std::string& title,
                      const std::vector<SentenceGroup>& groups) {
  Table table;
  table.columns = {{key, title},
                   {"sentences", "sentences", Kind::kNumber},
                   {"transformer_right", "Transformer", Kind::kShare},
                   {"recurrent_right", "recurrent", Kind::kShare}};
  for (const SentenceGroup& group : groups) {
    const std::string name = group.from == group.to
                                 ? std::to_string(group.from)
                                 : std::to_string(group.from) + " to " + std::to_string(group.to);
    std::vector<TableCell> row = {name, double(group.sentences)};
    for (const Index right : group.right)
      row.push_back(group.sentences > 0 ? TableCell(double(right) / double(group.sentences)) : TableCell());
    table.rows.push_back(row);
  }
  return table;
}

Table table_of_waiting() {
  Table table;
  table.columns = {{"tokens", "tokens", Kind::kNumber},
                   {"transformer_operations", "Transformer", Kind::kNumber},
                   {"recurrent_operations", "recurrent", Kind::kNumber}};
  for (const Index len : {5, 10, 20, 40, 80})
    table.rows.push_back({double(len), double(waiting_operations(TranslatorKind::kTransformer, len)),
                          double(waiting_operations(TranslatorKind::kRecurrent, len))});
  return table;
}

Spread spread(const std::vector<TranslatorResult>& results,
              const std::function<double(const TranslatorResult&)>& number) {
  std::vector<double> numbers;
  for (const TranslatorResult& result : results) numbers.push_back(number(result));
  return spread_of(numbers);
}

void add_range(ChartPanel& panel, int color, double x, const Spread& y) {
  panel.series[static_cast<std::size_t>(color)].points.push_back({x, y.mean});
  panel.series.push_back(
      {.points = {{x, y.lowest}, {x, y.highest}}, .color = color, .line = ChartLine::kThin});
}

LineChart empty_chart() {
  LineChart chart;
  chart.title = "The Transformer and the recurrent translator";
  chart.description =
      "Exact match and BLEU of held-out sentences of the built-in grammar, and seconds of training, against "
      "the "
      "steps of training, for both models: mean and range.";
  chart.x_label = "steps";
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind)
    chart.legend.push_back({name_of(kKinds[kind]), static_cast<int>(kind), ChartLine::kMarked});
  for (const char* heading :
       {"Exact match (%), mean and range", "BLEU, mean and range", "Seconds of training"}) {
    ChartPanel panel = {.heading = heading};
    for (int color = 0; color < std::ssize(kKinds); ++color)
      panel.series.push_back({.points = {}, .color = color, .line = ChartLine::kMarked});
    chart.panels.push_back(panel);
  }
  return chart;
}

std::vector<std::string> remarks_on(const TranslatorRuns& runs) {
  std::vector<std::string> remarks;
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    const TranslatorResult& last = runs.results[kind].back().back();
    remarks.push_back(std::string(name_of(kKinds[kind])) + ": " + std::to_string(runs.weights[kind]) +
                      " weights, " + format_fixed(last.multiply_adds / 1e6, 0) +
                      " million multiply-adds in a training step.");
  }
  return remarks;
}

}  // namespace

ExperimentReport run_translators(const ExperimentOptions& options) {
  TranslatorRuns runs;
  for (auto& results : runs.results) results.resize(options.over.size());
  for (Index seed = 1; seed <= options.seeds; ++seed) run_seed(seed, options, runs);

  ExperimentReport report;
  report.note = "preset toy and a recurrent translator, trained on the same sentences, seeds: " +
                std::to_string(options.seeds) + ", largest learning rate " +
                format_fixed(options.learning_rate, 4) + ", threads: " + std::to_string(threads()) + "; " +
                std::to_string(options.sentences) + " held-out sentences, greedy";
  report.table.columns = {{"steps", "steps", Kind::kNumber},
                          {"model", "model"},
                          {"exact", "exact %", Kind::kNumber, 1},
                          {"exact_lowest", "lowest", Kind::kNumber, 1},
                          {"exact_highest", "highest", Kind::kNumber, 1},
                          {"bleu", "BLEU", Kind::kNumber, 2},
                          {"seconds", "seconds", Kind::kNumber, 1}};
  report.chart = empty_chart();
  for (std::size_t place = 0; place < options.over.size(); ++place)
    for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
      const auto& results = runs.results[kind][place];
      const Spread exact = spread(results, percent_right);
      const Spread bleu = spread(results, [](const TranslatorResult& result) { return result.bleu; });
      const Spread seconds = spread(results, [](const TranslatorResult& result) { return result.seconds; });
      const double steps = double(options.over[place]);
      report.table.rows.push_back(
          {steps, name_of(kKinds[kind]), exact.mean, exact.lowest, exact.highest, bleu.mean, seconds.mean});
      const int color = static_cast<int>(kind);
      add_range(report.chart.panels[0], color, steps, exact);
      add_range(report.chart.panels[1], color, steps, bleu);
      add_range(report.chart.panels[2], color, steps, seconds);
    }
  report.more = {
      {"Right by the length of the English sentence, at the last step",
       table_of_groups("words", "words", runs.by_length)},
      {"Right by the most places that a verb moves, at the last step",
       table_of_groups("places", "places", runs.by_distance)},
      {"Multiplying operations of one forward pass, by the length of both sentences", table_of_waiting()}};
  report.remarks = remarks_on(runs);
  return report;
}

}  // namespace plainformer
