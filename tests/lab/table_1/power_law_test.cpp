#include "lab/table_1/power_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace plainformer {
namespace {

TEST(PowerLaw, FindsTheExponentOfAPower) {
  EXPECT_NEAR(fitted_exponent({{1, 3}, {10, 300}, {100, 30000}}), 2, 1e-12);
  EXPECT_NEAR(fitted_exponent({{7, 5}, {2, 5}, {9, 5}}), 0, 1e-12);
}

// The slope through (0, 0), (1, 2) and (2, 1) is 1/2.
TEST(PowerLaw, OfScatteredPointsIsTheLeastSquaresSlopeOfTheLogarithms) {
  const double e = std::exp(1);
  EXPECT_NEAR(fitted_exponent({{1, 1}, {e, e * e}, {e * e, e}}), 0.5, 1e-12);
}

TEST(PowerLaw, RefusesPointsWithoutASlope) {
  EXPECT_THROW(fitted_exponent({}), std::logic_error);
  EXPECT_THROW(fitted_exponent({{2, 1}, {2, 3}}), std::logic_error);
  EXPECT_THROW(fitted_exponent({{1, 1}, {2, 0}}), std::logic_error);
}

}  // namespace
}  // namespace plainformer
