#include "ops/log_sum_exp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/tensors.h"

namespace plainformer {
namespace {

TEST(LogSumExp, ReducesEachRow) {
  EXPECT_TRUE(near(log_sum_exp(tensor({2, 3}, {0, 0, 0, 1, 2, 3})), {2}, {std::log(3.0), 3.40760596}));
}

TEST(LogSumExp, LargeEntriesDoNotOverflow) {
  EXPECT_TRUE(near(log_sum_exp(tensor({1, 2}, {1000, 1000})), {1}, {1000 + std::log(2.0)}, 1e-4));
}

TEST(LogSumExp, LeadingAxesAreRows) {
  EXPECT_TRUE(near(log_sum_exp(tensor({2, 3, 1}, {1, 2, 3, 4, 5, 6})), {6}, {1, 2, 3, 4, 5, 6}));
}

TEST(LogSumExp, OfNothingIsMinusInfinity) {
  const Tensor y = log_sum_exp(Tensor({2, 3, 0}));
  EXPECT_EQ(values(y), std::vector<double>(6, -std::numeric_limits<double>::infinity()));
}

}  // namespace
}  // namespace plainformer
