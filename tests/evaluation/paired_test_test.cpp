#include "evaluation/paired_test.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plainformer {
namespace {

TEST(PairedTest, MeanAndDeviationByHand) {
  EXPECT_DOUBLE_EQ(mean_of({1, 2, 6}), 3);
  EXPECT_DOUBLE_EQ(standard_deviation_of({1, 2, 6}), std::sqrt(7));  // (4 + 1 + 9) / 2
  EXPECT_TRUE(std::isnan(mean_of({})));
  EXPECT_TRUE(std::isnan(standard_deviation_of({5})));
}

// The table of Student's distribution: the t that 5 % of the means exceed. n differences with mean t / sqrt(n)
// and deviation 1.
TEST(PairedTest, AgreesWithTheTableOfTheTDistribution) {
  const double critical[] = {12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600, 2.26216};
  for (int degrees = 1; degrees <= 9; ++degrees) {
    const int n = degrees + 1;
    std::vector<double> differences(n, critical[degrees - 1] / std::sqrt(n));
    // Two differences move apart, so that the deviation becomes 1 and the mean stays.
    differences[0] += std::sqrt(degrees / 2.0);
    differences[1] -= std::sqrt(degrees / 2.0);
    EXPECT_NEAR(paired_t_test(differences), 0.05, 1e-5) << degrees << " degrees of freedom";
  }
}

TEST(PairedTest, OneDegreeOfFreedomIsCauchys) {
  EXPECT_NEAR(paired_t_test({0, 2}), 0.5, 1e-12);  // t = 1
  EXPECT_NEAR(paired_t_test({-2, 0}), 0.5, 1e-12);
}

TEST(PairedTest, NoDeviationIsCertainty) {
  EXPECT_EQ(paired_t_test({0, 0, 0}), 1);
  EXPECT_EQ(paired_t_test({0.5, 0.5}), 0);
  EXPECT_TRUE(std::isnan(paired_t_test({3})));
}

TEST(PairedTest, HolmMultipliesTheSmallestMost) {
  EXPECT_EQ(holm_adjusted({0.25, 0.0625, 0.125}), (std::vector<double>{0.25, 0.1875, 0.25}));
  EXPECT_EQ(holm_adjusted({0.75, 0.5}), (std::vector<double>{1, 1}));
  // 2 * 0.25 is more than 1 * 0.375: the larger p keeps its rank.
  EXPECT_EQ(holm_adjusted({0.375, 0.25}), (std::vector<double>{0.5, 0.5}));
}

TEST(PairedTest, HolmLeavesOutTestsThatWereNotMade) {
  const std::vector<double> adjusted = holm_adjusted({NAN, 0.25});
  EXPECT_TRUE(std::isnan(adjusted[0]));
  EXPECT_EQ(adjusted[1], 0.25);
  EXPECT_TRUE(holm_adjusted({}).empty());
}

}  // namespace
}  // namespace plainformer
