#include "lab/table_3/variation_report.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lab/pictures/well_formed.h"

namespace plainformer {
namespace {

VariationResults results_of(const std::string& row, const std::string& name,
                            std::map<Index, VariationResult> by_seed) {
  return {.variation = {.row = row,
                        .name = name,
                        .settings = {},
                        .paper = PaperFigures{.perplexity = 5, .bleu = 25}},
          .by_seed = std::move(by_seed)};
}

// h 1 is worse by 2, 2.25 and 1.75: far beyond the noise. N 3 is better by 1 and worse by 1.
std::vector<VariationResults> three_variations() {
  return {results_of("base", "", {{1, {5, 30, 1000, 60}}, {2, {6, 31, 1000, 60}}, {3, {7, 32, 1000, 90}}}),
          results_of("A", "h 1", {{1, {7, 30, 900, 1}}, {2, {8.25, 31, 900, 1}}, {3, {8.75, 32, 900, 1}}}),
          results_of("C", "N 3", {{1, {5, 31, 2000, 1}}, {2, {6, 30, 2000, 1}}})};
}

TEST(VariationTable, ComparesSeedBySeed) {
  const Table table = variation_table(three_variations());
  const auto cell = [&](std::size_t row, const std::string& key) {
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      if (table.columns[j].key == key) return table.rows[row][j];
    }
    throw std::out_of_range(key);
  };
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(cell(0, "perplexity"), TableCell(6.0));
  EXPECT_EQ(cell(0, "perplexity_deviation"), TableCell(1.0));
  EXPECT_EQ(cell(0, "perplexity_difference"), TableCell());
  EXPECT_EQ(cell(0, "parameters"), TableCell(1.0));
  EXPECT_NEAR(std::get<double>(cell(0, "minutes")), 70.0 / 60, 1e-12);
  EXPECT_EQ(cell(1, "perplexity_difference"), TableCell("+2.00 *"));
  // t = 2 / (0.25 / sqrt 3) = 13.86 with two degrees of freedom: p = 1 - t / sqrt(t^2 + 2), and two tests.
  EXPECT_NEAR(std::get<double>(cell(1, "perplexity_p")), 2 * (1 - std::sqrt(192.0 / 194)), 1e-9);
  EXPECT_EQ(cell(1, "bleu_difference"), TableCell("+0.00"));
  EXPECT_EQ(cell(2, "bleu_difference"), TableCell("+0.00")) << "seeds 1 and 2 alone";
  EXPECT_EQ(cell(2, "seeds"), TableCell(2.0));
  EXPECT_EQ(cell(2, "paper_parameters"), TableCell());
}

TEST(VariationTable, OneSeedHasNoNoiseToCompareWith) {
  const Table table = variation_table(
      {results_of("base", "", {{1, {5, 30, 1, 1}}}), results_of("A", "h 1", {{1, {6, 30, 1, 1}}})});
  EXPECT_EQ(table.rows[1][5], TableCell("+1.00"));
  EXPECT_EQ(table.rows[1][6], TableCell());
}

TEST(VariationTable, ARowWithoutRunsIsThere) {
  const Table table =
      variation_table({results_of("base", "", {{1, {5, 30, 1, 1}}}), results_of("E", "x", {})});
  EXPECT_EQ(table.rows[1][2], TableCell(0.0));
  EXPECT_EQ(table.rows[1][3], TableCell());
}

TEST(VariationPicture, HasARowForEachDifferenceFromTheBase) {
  const std::string svg = variation_picture(three_variations());
  EXPECT_TRUE(is_well_formed(svg));
  for (const char* name : {">A h 1<", ">C N 3<", ">BLEU (higher is better)<"})
    EXPECT_NE(svg.find(name), std::string::npos) << name;
  EXPECT_EQ(svg.find(">base<"), std::string::npos);
}

}  // namespace
}  // namespace plainformer
