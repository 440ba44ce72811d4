// The reports of warm-up, rates and norms, on a text of few sentences.
#include <gtest/gtest.h>

#include "lab/experiments/experiments.h"
#include "lab/pictures/well_formed.h"
#include "support/program.h"

namespace plainformer {
namespace {

ExperimentOptions small_options(const std::vector<Index>& over) {
  return {.over = over, .seeds = 2, .steps = 1, .learning_rate = 0.003, .pairs = 20, .sentences = 2};
}

bool draws(const ExperimentReport& report) {
  return is_well_formed(to_svg(report.chart)) && !contains(to_csv(report.table), "nan");
}

TEST(NormReports, WarmUpHasARowForEachNormWithAndWithoutIt) {
  const ExperimentReport report = run_warm_up(small_options({1, 2}));
  EXPECT_EQ(report.table.rows.size(), 2u * 4);
  EXPECT_EQ(report.more.at(0).table.rows.size(), 2u * 4);  // a row for each seed, too
  EXPECT_TRUE(draws(report));
}

TEST(NormReports, RatesHaveARowForEachFactorAndNorm) {
  const ExperimentReport report = run_rates(small_options({1, 4}));
  ASSERT_EQ(report.table.rows.size(), 2u * 2);
  EXPECT_EQ(std::get<double>(report.table.rows[2][0]), 4);
  EXPECT_EQ(std::get<std::string>(report.table.rows[3][1]), "pre-norm");
  EXPECT_TRUE(draws(report));
}

TEST(NormReports, NormsComparesTheMomentsThatBatchNormTakes) {
  const ExperimentReport report = run_norms(small_options({1}));
  EXPECT_EQ(report.table.rows.size(), 2u);
  const auto& moments = report.more.at(1).table.rows.at(0);
  for (const std::size_t column : {1u, 2u, 3u}) EXPECT_GT(std::get<double>(moments[column]), 0);
  EXPECT_NE(moments[2], moments[3]);
  EXPECT_TRUE(draws(report));
}

}  // namespace
}  // namespace plainformer
