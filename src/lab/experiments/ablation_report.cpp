// The experiment `ablation`: chapter 3.2.2's questions whether heads become different, and whether a model needs them.
#include <algorithm>
#include <map>
#include <numeric>

#include "command_line/command_line.h"
#include "lab/experiments/experiments.h"
#include "lab/experiments/head_ablation.h"
#include "lab/experiments/spread_chart.h"
#include "lab/experiments/trained_transformer.h"
#include "report/number_format.h"

namespace plainformer {

namespace {

using Kind = TableColumn::Kind;

constexpr std::size_t kComparedPairs = 100;  // pairs in which the heads' distances are measured

// The numbers of one trained model. All are percentages of right translations but the distances.
struct AblationResult {
  std::vector<std::string> attentions;
  double all = 0;                   // with all heads
  std::vector<double> without;      // without each head, in the order of heads_of
  std::vector<double> together;     // without the 1, 2, ... heads whose removal alone costs least
  std::vector<double> without_any;  // without all heads of each attention, in the order of attentions_of
  std::vector<double> best_alone;   // with the best head of each attention as its only one
  std::vector<double> distances, distances_at_start;  // of each head from the others of its attention
};

double percent_without(const Transformer& model, const TranslatorText& text,
                       const std::vector<HeadPlace>& heads) {
  return percent_right(greedy_translations(without_heads(model, heads), text), text);
}

// The heads of one attention, without `kept` (-1: none is kept).
std::vector<HeadPlace> heads_of_attention(Index attention, Index heads, Index kept) {
  std::vector<HeadPlace> places;
  for (Index head = 0; head < heads; ++head)
    if (head != kept) places.push_back({attention, head});
  return places;
}

void measure_distances(Transformer& model, const TranslatorText& text, AblationResult& result) {
  TokenSequences sources = text.test.sources, translations = greedy_translations(model, text);
  sources.resize(std::min(sources.size(), kComparedPairs));
  translations.resize(sources.size());
  Transformer untrained(model.config(), text.settings.training.seed);
  result.distances = distances_from_others(model, sources, translations);
  result.distances_at_start = distances_from_others(untrained, sources, translations);
}

AblationResult test_heads(Transformer& model, const TranslatorText& text,
                          const std::function<void(const std::string&)>& show) {
  const std::vector<HeadPlace> places = heads_of(model);
  const Index heads = model.config().heads;
  AblationResult result;
  for (const NamedAttention& each : attentions_of(model)) result.attentions.push_back(each.name);
  const auto percent = [&](const std::vector<HeadPlace>& gone) {
    show("without heads");
    return percent_without(model, text, gone);
  };
  result.all = percent({});
  for (const HeadPlace& place : places) result.without.push_back(percent({place}));

  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return result.without[a] > result.without[b]; });
  std::vector<HeadPlace> gone;
  for (const std::size_t next : order) {
    gone.push_back(places[next]);
    result.together.push_back(percent(gone));
  }

  for (Index attention = 0; attention < std::ssize(places) / heads; ++attention) {
    result.without_any.push_back(percent(heads_of_attention(attention, heads, -1)));
    double best = 0;
    for (Index head = 0; head < heads; ++head)
      best = std::max(best, percent(heads_of_attention(attention, heads, head)));
    result.best_alone.push_back(best);
  }
  measure_distances(model, text, result);
  return result;
}

// The `rank`-th of an attention's numbers, the largest first.
double ranked(const std::vector<double>& numbers, Index first, Index count, Index rank) {
  std::vector<double> some(numbers.begin() + first, numbers.begin() + first + count);
  std::sort(some.begin(), some.end(), std::greater<>());
  return some[rank];
}

double mean_of_part(const std::vector<double>& numbers, Index first, Index count) {
  return std::accumulate(numbers.begin() + first, numbers.begin() + first + count, 0.0) /
         static_cast<double>(count);
}

// A row for each head. Heads of different seeds have nothing in common but their attention, so there they are ranked.
void add_heads(Table& table, Index heads, const std::vector<AblationResult>& results) {
  const std::vector<std::string>& attentions = results.front().attentions;
  for (Index attention = 0; attention < std::ssize(attentions); ++attention)
    for (Index rank = 0; rank < heads; ++rank) {
      const Spread exact = spread_of(results, [&](const AblationResult& result) {
        return ranked(result.without, attention * heads, heads, rank);
      });
      table.rows.push_back(
          {double(heads), attentions[attention], double(rank + 1), exact.mean, exact.lowest, exact.highest});
    }
}

void add_attentions(Table& table, Index heads, const std::vector<AblationResult>& results) {
  const std::vector<std::string>& attentions = results.front().attentions;
  for (Index attention = 0; attention < std::ssize(attentions); ++attention) {
    const auto mean = [&](const std::function<double(const AblationResult&)>& number) {
      return spread_of(results, number).mean;
    };
    const Index first = attention * heads;
    table.rows.push_back(
        {double(heads), attentions[attention],
         mean([&](const AblationResult& r) { return mean_of_part(r.distances_at_start, first, heads); }),
         mean([&](const AblationResult& r) { return mean_of_part(r.distances, first, heads); }),
         mean([&](const AblationResult& r) { return r.best_alone[attention]; }),
         mean([&](const AblationResult& r) { return r.without_any[attention]; })});
  }
}

// A row for each number of heads that are gone.
void add_numbers(Table& table, Index heads, const std::vector<AblationResult>& results) {
  const Index count = std::ssize(results.front().without);
  for (Index gone = 0; gone <= count; ++gone) {
    const Spread together =
        spread_of(results, [&](const AblationResult& r) { return gone == 0 ? r.all : r.together[gone - 1]; });
    table.rows.push_back({double(heads), double(gone), together.mean, together.lowest, together.highest});
  }
}

int color_of_attention(const std::string& name) {
  if (name.starts_with("encoder.")) return 0;
  return name.ends_with(".self_attention") ? 1 : 2;
}

ExperimentReport empty_ablation_report(const ExperimentOptions& options) {
  ExperimentReport report;
  report.note = "preset toy, whose heads are taken out after training, by zeros in W^O; seeds: " +
                std::to_string(options.seeds) + ", steps: " + std::to_string(options.steps) +
                ", largest learning rate " + format_fixed(options.learning_rate, 4) + "; " +
                std::to_string(options.sentences) +
                " held-out sentences, greedy; of each attention, head 1 is missed least";
  report.table.columns = with_exact({{"heads", "heads", Kind::kNumber},
                                     {"attention", "attention"},
                                     {"head", "without head", Kind::kNumber}});
  Table attentions, numbers;
  attentions.columns = {{"heads", "heads", Kind::kNumber},
                        {"attention", "attention"},
                        {"distance_at_start", "distance, untrained", Kind::kNumber, 3},
                        {"distance", "distance", Kind::kNumber, 3},
                        {"best_alone", "exact %, best head alone", Kind::kNumber, 1},
                        {"without_any", "exact %, without all", Kind::kNumber, 1}};
  numbers.columns = with_exact({{"heads", "heads", Kind::kNumber}, {"gone", "heads gone", Kind::kNumber}});
  report.more = {
      {"Mean distance of two heads of an attention, and exact match without its heads", attentions},
      {"Without several heads, the least missed first", numbers}};
  return report;
}

}  // namespace

ExperimentReport run_ablation(const ExperimentOptions& options) {
  const Index d_model = preset_settings("toy").model.d_model;
  for (const Index heads : options.over)
    if (d_model % heads != 0)
      throw UsageError("--over: " + std::to_string(heads) + " heads do not divide " +
                       std::to_string(d_model));
  const auto all_results = test_each(options, &ModelConfig::heads, test_heads);
  ExperimentReport report = empty_ablation_report(options);
  for (std::size_t place = 0; place < options.over.size(); ++place) {
    const Index heads = options.over[place];
    const std::vector<AblationResult>& results = all_results[place];
    report.chart.panels.push_back(
        spread_panel("Exact match (%), mean and range; heads of an attention: " + std::to_string(heads), 2));
    add_heads(report.table, heads, results);
    add_attentions(report.more[0].table, heads, results);
    add_numbers(report.more[1].table, heads, results);
    const Spread all = spread_of(results, [](const AblationResult& r) { return r.all; });
    report.remarks.push_back("With all heads, " + std::to_string(heads) +
                             " in each attention: " + format_fixed(all.mean, 1) + " % (" +
                             format_fixed(all.lowest, 1) + " to " + format_fixed(all.highest, 1) + ").");
  }
  report.chart = chart_of_ablation(tables_of(report));
  return report;
}

LineChart chart_of_ablation(const std::vector<Table>& tables) {
  LineChart chart = {
      .title = "A trained model without some of its heads",
      .description =
          "Exact match of held-out sentences of the built-in grammar without one head, for each "
          "head of each attention, and without several, the least missed first.",
      .x_label = "place of the head, the least missed first; below: heads taken out",
      .legend = spread_legend({"encoder self-attention", "decoder self-attention",
                               "encoder-decoder attention", "several heads"})};
  std::map<double, std::vector<std::vector<TableCell>>> single;  // rows of the first table, by the heads
  for (const auto& row : tables.at(0).rows) single[number_in(tables[0], row, "heads")].push_back(row);
  for (auto& [heads, rows] : single) {
    ChartPanel one = {.heading = "Exact match (%) without one head"};
    ChartPanel several = {.heading = "Exact match (%) without several heads",
                          .series = {{.points = {}, .color = 3, .line = ChartLine::kMarked}}};
    one.note = several.note = std::to_string(Index(heads)) + " per attention";
    std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
      return exact_in(tables[0], a).mean > exact_in(tables[0], b).mean;
    });
    double place = 0;
    for (const auto& row : rows)
      add_single(one, color_of_attention(text_in(tables[0], row, "attention")), ++place,
                 exact_in(tables[0], row));
    for (const auto& row : tables.at(2).rows)
      if (number_in(tables[2], row, "heads") == heads)
        add_spread(several, 0, number_in(tables[2], row, "gone"), exact_in(tables[2], row));
    chart.panels.push_back(one);
    chart.panels.push_back(several);
  }
  for (ChartPanel& panel : chart.panels) panel.encloses = kAllPercents;
  return chart;
}

}  // namespace plainformer
