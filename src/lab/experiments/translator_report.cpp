// The experiment `translators`: chapters 1 and 2, measured.
#include <algorithm>
#include <functional>
#include <span>

#include "core/thread_pool.h"
#include "lab/experiments/translator_charts.h"
#include "lab/experiments/translator_runs.h"
#include "report/number_format.h"

namespace plainformer {

namespace {

using Kind = TableColumn::Kind;

// The columns' keys for the models. Their titles are the models' names.
constexpr std::array<const char*, 3> kModelKeys = {"transformer", "recurrent", "chain"};

void add_model_columns(Table& table, const std::string& key_end, Kind column_kind) {
  for (std::size_t kind = 0; kind < kModelKeys.size(); ++kind)
    table.columns.push_back({kModelKeys[kind] + key_end, name_of(kTranslatorKinds[kind]), column_kind});
}

double percent_right(const TranslatorResult& result) {
  return 100.0 * static_cast<double>(std::count(result.right.begin(), result.right.end(), true)) /
         static_cast<double>(result.right.size());
}

std::vector<LearningPoint> learning_points(const TranslatorRuns& runs) {
  std::vector<LearningPoint> points;
  for (std::size_t place = 0; place < runs.over.size(); ++place)
    for (std::size_t kind = 0; kind < kModelKeys.size(); ++kind) {
      const auto& results = runs.results[kind][place];
      points.push_back(
          {.kind = kind,
           .steps = double(runs.over[place]),
           .exact = spread_of(results, percent_right),
           .bleu = spread_of(results, [](const TranslatorResult& each) { return each.bleu; }).mean,
           .seconds = spread_of(results, [](const TranslatorResult& each) { return each.seconds; }).mean});
    }
  return points;
}

Table table_of_steps(const std::vector<LearningPoint>& points) {
  Table table;
  table.columns = {{"steps", "steps", Kind::kNumber},
                   {"model", "model"},
                   {"exact", "exact %", Kind::kNumber, 1},
                   {"exact_lowest", "lowest", Kind::kNumber, 1},
                   {"exact_highest", "highest", Kind::kNumber, 1},
                   {"bleu", "BLEU", Kind::kNumber, 2},
                   {"seconds", "seconds", Kind::kNumber, 1}};
  for (const auto& [kind, steps, exact, bleu, seconds] : points)
    table.rows.push_back(
        {steps, name_of(kTranslatorKinds[kind]), exact.mean, exact.lowest, exact.highest, bleu, seconds});
  return table;
}

// A row of a table of sentences.
struct SentenceGroup {
  NumberRange range;  // that the row is named after
  RightSentences counts;
};

Table table_of_groups(const std::string& key, const std::vector<SentenceGroup>& groups) {
  Table table;
  table.columns = {{key, key}, {"sentences", "sentences", Kind::kNumber}};
  add_model_columns(table, "_right", Kind::kShare);
  for (const auto& [range, counts] : groups) {
    std::vector<TableCell> row = {range.name(), double(counts.sentences)};
    for (const Index right : counts.right)
      row.push_back(counts.sentences > 0 ? TableCell(double(right) / double(counts.sentences)) : TableCell());
    table.rows.push_back(row);
  }
  return table;
}

std::vector<RangePoint> range_points(const std::vector<SentenceGroup>& groups) {
  std::vector<RangePoint> points;
  for (const auto& [range, counts] : groups)
    for (std::size_t kind = 0; kind < kModelKeys.size(); ++kind)
      if (counts.sentences > 0)
        points.push_back({kind, range, 100 * double(counts.right[kind]) / double(counts.sentences)});
  return points;
}

Table table_of_waiting() {
  Table table;
  table.columns = {{"tokens", "tokens", Kind::kNumber}};
  add_model_columns(table, "_operations", Kind::kNumber);
  for (const Index len : {5, 10, 20, 40, 80}) {
    std::vector<TableCell> row = {double(len)};
    for (const TranslatorKind kind : kTranslatorKinds) row.push_back(double(waiting_operations(kind, len)));
    table.rows.push_back(row);
  }
  return table;
}

std::vector<std::string> remarks_on(const TranslatorRuns& runs) {
  std::vector<std::string> remarks;
  for (std::size_t kind = 0; kind < kModelKeys.size(); ++kind)
    remarks.push_back(std::string(name_of(kTranslatorKinds[kind])) + ": " +
                      std::to_string(runs.weights[kind]) + " weights, " +
                      format_fixed(runs.results[kind].back().back().multiply_adds / 1e6, 0) +
                      " million multiply-adds in a training step.");
  return remarks;
}

}  // namespace

ExperimentReport run_translators(const ExperimentOptions& options) {
  constexpr NumberRange kAny = {0, 14}, kLongest = kWordRanges.back();
  const TranslatorRuns runs = translator_runs(options);
  std::vector<SentenceGroup> by_words, by_places, by_places_of_longest;
  for (const NumberRange range : kWordRanges)
    by_words.push_back({range, right_sentences(runs, /*words=*/range, /*places=*/kAny)});
  for (const NumberRange range : kPlaceRanges) {
    by_places.push_back({range, right_sentences(runs, kAny, range)});
    by_places_of_longest.push_back({range, right_sentences(runs, kLongest, range)});
  }
  const std::vector<LearningPoint> learning = learning_points(runs);

  ExperimentReport report;
  report.note = "preset toy and two recurrent translators, trained on the same sentences, seeds: " +
                std::to_string(options.seeds) + ", largest learning rate " +
                format_fixed(options.learning_rate, 4) + ", threads: " + std::to_string(threads()) + "; " +
                std::to_string(options.sentences) + " held-out sentences, greedy; seconds of the processor";
  report.table = table_of_steps(learning);
  report.more = {
      {"Right by the length of the English sentence, at the last step", table_of_groups("words", by_words)},
      {"Right by the most places that a verb moves, at the last step", table_of_groups("places", by_places)},
      {"Right by the most places that a verb moves, in sentences of " + kLongest.name() +
           " words, at the last step",
       table_of_groups("places", by_places_of_longest)},
      {"Multiplying operations of one forward pass, by the length of both sentences", table_of_waiting()}};
  report.remarks = remarks_on(runs);
  report.chart = learning_charts(learning)[0];
  report.more_charts = {learning_charts(learning)[1]};
  for (const LineChart& chart : distance_charts(range_points(by_words), range_points(by_places)))
    report.more_charts.push_back(chart);
  return report;
}

}  // namespace plainformer
