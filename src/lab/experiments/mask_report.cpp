// The experiment `mask`: chapter 3.2.3's question whether the causal mask is needed when translating.
#include <algorithm>
#include <cmath>

#include "evaluation/bleu.h"
#include "lab/experiments/experiments.h"
#include "lab/experiments/recomputing_search.h"
#include "lab/experiments/spread_chart.h"
#include "lab/experiments/trained_transformer.h"
#include "report/number_format.h"

namespace plainformer {

namespace {

constexpr std::size_t kComparedOutputs = 100;  // translations whose last output is compared

// The numbers of one trained model. The first of two is with the mask, the second without it.
struct MaskResult {
  double exact[2], bleu[2];
  double change;  // of the decoder's output at the last position
};

// The length of the difference between the outputs at the last position with and without the mask, over the length of
// the one with it; a mean over translations.
double change_without_mask(const Transformer& model, const TokenSequences& sources,
                           const TokenSequences& translations) {
  const std::size_t count = std::min(kComparedOutputs, sources.size());
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Tensor with = decoder_output(model, sources[i], translations[i], {.causal = true});
    const Tensor without = decoder_output(model, sources[i], translations[i], {.causal = false});
    const Index last = with.dim(1) - 1;
    double difference = 0, length = 0;
    for (Index column = 0; column < with.dim(2); ++column) {
      const double a = with(0, last, column), b = without(0, last, column);
      difference += (a - b) * (a - b);
      length += a * a;
    }
    sum += std::sqrt(difference / length);
  }
  return sum / static_cast<double>(count);
}

MaskResult test_masks(const Transformer& model, const TranslatorText& text) {
  MaskResult result = {};
  TokenSequences translations;  // at last those with the mask
  for (const int without : {1, 0}) {
    translations = translate_recomputing(model, text.test.sources, kToyLimits, {.causal = without == 0});
    result.exact[without] = percent_right(translations, text);
    result.bleu[without] = corpus_bleu(text_of(translations, text), text.test.references).score;
  }
  result.change = change_without_mask(model, text.test.sources, translations);
  return result;
}

}  // namespace

ExperimentReport run_mask(const ExperimentOptions& options) {
  const auto results = test_each(options, &ModelConfig::decoder_layers,
                                 [](const Transformer& model, const TranslatorText& text, const auto&) {
                                   return test_masks(model, text);
                                 });
  ExperimentReport report;
  report.note = "preset toy with this number of decoder layers, trained with the mask; seeds: " +
                std::to_string(options.seeds) + ", steps: " + std::to_string(options.steps) +
                ", largest learning rate " + format_fixed(options.learning_rate, 4) + "; " +
                std::to_string(options.sentences) +
                " held-out sentences, greedy; each new token computes all positions again";
  report.table.columns =
      with_exact({{"decoder_layers", "decoder layers", TableColumn::Kind::kNumber}, {"mask", "translated"}});
  report.table.columns.push_back({"bleu", "BLEU", TableColumn::Kind::kNumber, 2});
  report.table.columns.push_back({"change", "change of the last output", TableColumn::Kind::kNumber, 4});
  for (std::size_t place = 0; place < options.over.size(); ++place) {
    const double layers = double(options.over[place]);
    for (const int without : {0, 1}) {
      const Spread exact = spread_of(results[place], [&](const MaskResult& r) { return r.exact[without]; });
      const Spread bleu = spread_of(results[place], [&](const MaskResult& r) { return r.bleu[without]; });
      const Spread change =
          spread_of(results[place], [&](const MaskResult& r) { return without * r.change; });
      report.table.rows.push_back({layers, without == 0 ? "with the mask" : "without it", exact.mean,
                                   exact.lowest, exact.highest, bleu.mean, change.mean});
    }
  }
  report.chart = chart_of_mask(tables_of(report));
  return report;
}

LineChart chart_of_mask(const std::vector<Table>& tables) {
  LineChart chart = {.title = "Without the causal mask",
                     .description =
                         "Exact match of held-out sentences of the built-in grammar, and the change of the "
                         "decoder's last output, against the number of decoder layers, with the causal mask "
                         "and without it.",
                     .x_label = "decoder layers",
                     .legend = spread_legend({"with the mask", "without it"}),
                     .panels = {spread_panel("Exact match (%), mean and range", 2),
                                spread_panel("Change of the last output (%)", 2)}};
  const Table& table = tables.at(0);
  for (const auto& row : table.rows) {
    const double layers = number_in(table, row, "decoder_layers"),
                 change = 100 * number_in(table, row, "change");
    if (chart.x_ticks.empty() || chart.x_ticks.back() < layers) chart.x_ticks.push_back(layers);
    const int line = text_in(table, row, "mask") == "with the mask" ? 0 : 1;
    add_spread(chart.panels[0], line, layers, exact_in(table, row));
    add_spread(chart.panels[1], line, layers, {change, change, change});
  }
  chart.panels[0].encloses = kAllPercents;
  return chart;
}

}  // namespace plainformer
