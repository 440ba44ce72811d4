// The experiment `positions`: chapter 3.5's question whether sines and cosines reach beyond the lengths of training.
#include <algorithm>
#include <iostream>
#include <map>

#include "lab/experiments/experiments.h"
#include "lab/experiments/longer_sentences.h"
#include "lab/experiments/recomputing_search.h"
#include "lab/experiments/spread_chart.h"
#include "platform/platform.h"
#include "report/number_format.h"
#include "report/progress_bar.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

using Kind = TableColumn::Kind;

constexpr Positions kBothPositions[] = {Positions::kSinusoidal, Positions::kLearned};

const char* name_of_positions(Positions positions) {
  return positions == Positions::kLearned ? "learned" : "sines";
}

using ByLength = std::map<Index, std::vector<LengthResult>>;  // of each seed

// The results of models with one kind of positions and one longest length of training.
struct PositionResults {
  ByLength longer;  // by the length of the sentence
  ByLength
      moved;  // sentences of the longest length, by the position where their last word then stands, plus 1
  std::string example;  // a translation of the first of the longest sentences of the first seed
};

struct PositionRuns {
  std::map<std::pair<Index, Positions>, PositionResults> results;  // by the longest length of training
  SentencePair example;
  std::string example_source, example_target;
};

Index longest_of(const std::vector<SentencePair>& pairs) {
  Index longest = 0;
  for (const SentencePair& pair : pairs) longest = std::max(longest, length_of(pair));
  return longest;
}

void test_positions(const Transformer& model, const TranslatorText& text, Index longest,
                    PositionResults& results) {
  const std::vector<SentencePair>& pairs = text.corpora.valid;
  const Index last = longest_of(pairs);
  for (Index length = 1; length <= last; ++length) {
    const LengthResult result = test_length(model, text, pairs, length);
    if (result.sentences > 0) results.longer[length].push_back(result);
  }
  for (Index moved = 0; longest + moved <= last; ++moved) {
    const LengthResult result = test_moved(model, text, pairs, longest, moved);
    if (result.sentences > 0) results.moved[longest + moved].push_back(result);
  }
}

// The first of the longest sentences of the test.
void choose_example(const TranslatorText& text, PositionRuns& runs) {
  const auto& pairs = text.corpora.valid;
  runs.example = *std::max_element(
      pairs.begin(), pairs.end(),
      [](const SentencePair& a, const SentencePair& b) { return length_of(a) < length_of(b); });
  runs.example_source = text_of({runs.example.source}, text).front();
  runs.example_target = text_of({runs.example.target}, text).front();
}

PositionRuns train_positions(const ExperimentOptions& options) {
  PositionRuns runs;
  ProgressBar bar(std::cerr, understands_escapes(2),
                  options.seeds * std::ssize(options.over) * 2 * options.steps,
                  {.unit = "step", .color = color_allowed(2)});
  Index done = 0;
  for (Index seed = 1; seed <= options.seeds; ++seed) {
    TranslatorText text = translator_text(
        {.seed = seed, .learning_rate = options.learning_rate, .held_out = options.sentences});
    const std::vector<SentencePair> all = text.corpora.train;
    if (seed == 1) choose_example(text, runs);
    for (const Index longest : options.over) {
      text.corpora.train = not_longer(all, longest);
      for (const Positions positions : kBothPositions) {
        text.settings.model.positions = positions;
        PositionResults& results = runs.results[{longest, positions}];
        const Transformer model =
            train_transformer(text, options.steps, [&] { bar.update(++done, name_of_positions(positions)); });
        test_positions(model, text, longest, results);
        if (seed == 1)
          results.example =
              text_of(translate_recomputing(model, {runs.example.source}, kToyLimits, {}), text).front();
      }
    }
  }
  bar.finish();
  return runs;
}

Table empty_position_table(const std::string& key, const std::string& title, bool with_loss) {
  Table table;
  table.columns = with_exact({{"longest", "trained up to", Kind::kNumber},
                              {"positions", "positions"},
                              {key, title, Kind::kNumber},
                              {"sentences", "sentences", Kind::kNumber}});
  if (with_loss) table.columns.push_back({"loss", "loss", Kind::kNumber, 3});
  return table;
}

// Adds a row for each length.
void add_lengths(Table& table, Index longest, Positions positions, const ByLength& lengths) {
  const bool with_loss = table.columns.back().key == "loss";
  for (const auto& [length, results] : lengths) {
    Index sentences = 0;
    for (const LengthResult& result : results) sentences += result.sentences;
    const Spread exact = spread_of(results, &LengthResult::exact);
    table.rows.push_back({double(longest), name_of_positions(positions), double(length), double(sentences),
                          exact.mean, exact.lowest, exact.highest});
    if (with_loss) table.rows.back().push_back(spread_of(results, &LengthResult::loss).mean);
  }
}

std::vector<std::string> examples_of(const PositionRuns& runs) {
  std::vector<std::string> remarks = {"source: " + runs.example_source, "reference: " + runs.example_target};
  for (const auto& [setting, results] : runs.results)
    remarks.push_back(std::string(name_of_positions(setting.second)) + ", trained up to " +
                      std::to_string(setting.first) + ": " + results.example);
  return remarks;
}

}  // namespace

ExperimentReport run_positions(const ExperimentOptions& options) {
  const PositionRuns runs = train_positions(options);
  ExperimentReport report;
  report.note =
      "preset toy, trained on the sentences that have at most this number of words on both sides; seeds: " +
      std::to_string(options.seeds) + ", steps: " + std::to_string(options.steps) +
      ", largest learning rate " + format_fixed(options.learning_rate, 4) + "; " +
      std::to_string(options.sentences) + " held-out sentences of each seed, greedy";
  report.table = empty_position_table("words", "words", true);
  Table moved = empty_position_table("end", "ends at", false);
  for (const Index longest : options.over) {
    for (const Positions positions : kBothPositions) {
      const PositionResults& results = runs.results.at({longest, positions});
      add_lengths(report.table, longest, positions, results.longer);
      add_lengths(moved, longest, positions, results.moved);
    }
  }
  report.more = {{"Sentences of the longest length of training, moved to later positions", moved}};
  report.remarks = examples_of(runs);
  report.chart = chart_of_positions(tables_of(report));
  return report;
}

LineChart chart_of_positions(const std::vector<Table>& tables) {
  LineChart chart = {
      .title = "Sentences longer than in training",
      .description =
          "Exact match of held-out sentences of the built-in grammar against their length, and "
          "of sentences of a length seen in training against the position where they end, with "
          "sines and with learned positions.",
      .x_label = "words of the sentence; below: the position after its last word",
      .legend = spread_legend({"sines and cosines", "learned positions"})};
  std::map<double, std::size_t> first_panel;  // of each longest length of training
  for (const auto& row : tables.at(0).rows) {
    const double longest = number_in(tables[0], row, "longest");
    if (!first_panel.emplace(longest, chart.panels.size()).second) continue;
    const std::string words = std::to_string(Index(longest)) + " words";
    chart.panels.push_back(spread_panel("Exact match (%), trained on at most " + words, 2));
    chart.panels.push_back(spread_panel("Exact match (%) of sentences of " + words + ", moved", 2));
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const Table& table = tables.at(i);
    for (const auto& row : table.rows)
      add_spread(chart.panels[first_panel.at(number_in(table, row, "longest")) + i],
                 text_in(table, row, "positions") == "learned" ? 1 : 0,
                 number_in(table, row, i == 0 ? "words" : "end"), exact_in(table, row));
  }
  for (ChartPanel& panel : chart.panels) panel.encloses = kAllPercents;
  return chart;
}

}  // namespace plainformer
