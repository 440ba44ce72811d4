#include "lab/table_3/variation_report.h"

#include <cmath>

#include "evaluation/paired_test.h"
#include "lab/pictures/dot_plot.h"
#include "report/number_format.h"

namespace plainformer {

namespace {

constexpr double kSignificance = 0.05;

std::vector<double> values_of(const VariationResults& results, double VariationResult::*quantity) {
  std::vector<double> values;
  for (const auto& [seed, result] : results.by_seed) values.push_back(result.*quantity);
  return values;
}

// The differences from the base, seed by seed, for the seeds that both have.
std::vector<double> differences_of(const VariationResults& results, const VariationResults& base,
                                   double VariationResult::*quantity) {
  std::vector<double> differences;
  for (const auto& [seed, result] : results.by_seed) {
    const auto same_seed = base.by_seed.find(seed);
    if (same_seed != base.by_seed.end())
      differences.push_back(result.*quantity - same_seed->second.*quantity);
  }
  return differences;
}

// A quantity of one variation beside the base's.
struct Comparison {
  double mean = NAN, deviation = NAN, difference = NAN, probability = NAN;
};

Comparison compare(const VariationResults& results, const VariationResults& base,
                   double VariationResult::*quantity) {
  const std::vector<double> values = values_of(results, quantity);
  Comparison comparison = {.mean = mean_of(values), .deviation = standard_deviation_of(values)};
  if (&results == &base) return comparison;
  const std::vector<double> differences = differences_of(results, base, quantity);
  comparison.difference = mean_of(differences);
  comparison.probability = paired_t_test(differences);
  return comparison;
}

std::vector<Comparison> compare_all(const std::vector<VariationResults>& results,
                                    double VariationResult::*quantity) {
  std::vector<Comparison> comparisons;
  std::vector<double> probabilities;
  for (const VariationResults& each : results) {
    comparisons.push_back(compare(each, results.front(), quantity));
    probabilities.push_back(comparisons.back().probability);
  }
  const std::vector<double> adjusted = holm_adjusted(probabilities);
  for (std::size_t i = 0; i < comparisons.size(); ++i) comparisons[i].probability = adjusted[i];
  return comparisons;
}

TableCell number_cell(double value) {
  if (std::isnan(value)) return {};
  return value;
}

// "+0.31 *": the star marks a difference that is larger than the noise.
TableCell difference_cell(const Comparison& comparison) {
  if (std::isnan(comparison.difference)) return {};
  const bool is_significant = comparison.probability < kSignificance;
  return (comparison.difference < 0 ? "" : "+") + format_fixed(comparison.difference, 2) +
         (is_significant ? " *" : "");
}

void append(std::vector<TableCell>& row, const Comparison& comparison) {
  row.push_back(number_cell(comparison.mean));
  row.push_back(number_cell(comparison.deviation));
  row.push_back(difference_cell(comparison));
  row.push_back(number_cell(comparison.probability));
}

}  // namespace

Table variation_table(const std::vector<VariationResults>& results) {
  using ColumnKind = TableColumn::Kind;
  Table table = {.columns = {{"row", "row"},
                             {"variation", "variation"},
                             {"seeds", "seeds", ColumnKind::kNumber},
                             {"perplexity", "PPL", ColumnKind::kNumber, 3},
                             {"perplexity_deviation", "+-", ColumnKind::kNumber, 3},
                             {"perplexity_difference", "diff."},
                             {"perplexity_p", "p", ColumnKind::kNumber, 3},
                             {"bleu", "BLEU", ColumnKind::kNumber, 2},
                             {"bleu_deviation", "+-", ColumnKind::kNumber, 2},
                             {"bleu_difference", "diff."},
                             {"bleu_p", "p", ColumnKind::kNumber, 3},
                             {"parameters", "10^3", ColumnKind::kNumber},
                             {"minutes", "minutes", ColumnKind::kNumber, 1},
                             {"paper_perplexity", "paper's PPL", ColumnKind::kNumber, 2},
                             {"paper_bleu", "BLEU", ColumnKind::kNumber, 1},
                             {"paper_parameters", "10^6", ColumnKind::kNumber}},
                 .rows = {}};
  const std::vector<Comparison> perplexity = compare_all(results, &VariationResult::perplexity),
                                bleu = compare_all(results, &VariationResult::bleu);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Variation& variation = results[i].variation;
    std::vector<TableCell> row = {variation.row, variation.name,
                                  static_cast<double>(results[i].by_seed.size())};
    append(row, perplexity[i]);
    append(row, bleu[i]);
    row.push_back(number_cell(mean_of(values_of(results[i], &VariationResult::parameters)) / 1e3));
    row.push_back(number_cell(mean_of(values_of(results[i], &VariationResult::seconds)) / 60));
    const PaperFigures paper = variation.paper.value_or(PaperFigures{NAN, NAN, {}});
    row.push_back(number_cell(paper.perplexity));
    row.push_back(number_cell(paper.bleu));
    row.push_back(number_cell(paper.parameters.value_or(NAN)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<RecordedRun> recorded_runs(const std::vector<VariationResults>& results) {
  std::vector<RecordedRun> runs;
  for (const auto& [variation, by_seed] : results) {
    for (const auto& [seed, result] : by_seed)
      runs.push_back({.row = variation.row, .variation = variation.name, .seed = seed, .result = result});
  }
  return runs;
}

namespace {

// "toy, 400 pairs, 600 steps", so that two pictures have two titles.
std::string name_of_base(const TrainSettings& settings) {
  return settings.preset +
         (settings.toy_pairs > 0 ? ", " + std::to_string(settings.toy_pairs) + " pairs" : "") + ", " +
         std::to_string(settings.training.steps) + " steps";
}

}  // namespace

std::string variation_picture(const std::vector<VariationResults>& results) {
  DotPlot plot = {.title = "Against the base: " + name_of_base(results[0].variation.settings),
                  .description =
                      "Differences from the base with the same seed: a row for each variation, a "
                      "dot for each seed, a stroke at their mean.",
                  .dot = "one seed",
                  .panels = {{"perplexity (lower is better)", 0}, {"BLEU (higher is better)", 0}}};
  for (std::size_t i = 1; i < results.size(); ++i) {
    plot.rows.push_back({.name = results[i].variation.title(),
                         .values = {differences_of(results[i], results[0], &VariationResult::perplexity),
                                    differences_of(results[i], results[0], &VariationResult::bleu)}});
  }
  return to_svg(plot);
}

}  // namespace plainformer
