#include "ops/reductions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "support/tensors.h"

namespace plainformer {
namespace {

constexpr Index kManyBlocks = 3 * 16384 + 5;

TEST(SumOfSquares, CountsEveryElementOfEveryBlockOnce) {
  EXPECT_EQ(sum_of_squares(tensor({2, 2}, {1, -2, 3, 0.5})), 1 + 4 + 9 + 0.25);
  EXPECT_EQ(sum_of_squares(Tensor()), 0);
  EXPECT_EQ(sum_of_squares(Tensor({3, 0})), 0);
  EXPECT_EQ(sum_of_squares(Tensor::filled({kManyBlocks}, 2)), 4.0 * kManyBlocks);
}

// 1 + 2^-30 is no float; and squares of large floats are no floats either.
TEST(SumOfSquares, IsTakenInDouble) {
  Tensor x = Tensor::zeros({kManyBlocks});
  x.mutable_data()[0] = 1;
  x.mutable_data()[kManyBlocks - 1] = Real(1) / 32768;
  EXPECT_EQ(sum_of_squares(x), 1 + 1.0 / (1 << 30));
  EXPECT_NEAR(sum_of_squares(Tensor::filled({2}, Real(1e30))), 2e60, 1e54);
}

TEST(SumOfSquares, IsNaNOrInfiniteExactlyIfSomeElementIs) {
  for (const Index at : {Index{0}, Index{20'000}, kManyBlocks - 1}) {
    Tensor x = Tensor::filled({kManyBlocks}, Real(1e30));
    EXPECT_TRUE(std::isfinite(sum_of_squares(x)));
    x.mutable_data()[at] = -std::numeric_limits<Real>::infinity();
    EXPECT_EQ(sum_of_squares(x), std::numeric_limits<double>::infinity()) << at;
    x.mutable_data()[at] = std::numeric_limits<Real>::quiet_NaN();
    EXPECT_TRUE(std::isnan(sum_of_squares(x))) << at;
  }
}

TEST(LogSumExp, ReducesEachRow) {
  EXPECT_TRUE(near(log_sum_exp(tensor({2, 3}, {0, 0, 0, 1, 2, 3})), {2}, {std::log(3.0), 3.40760596}));
  EXPECT_TRUE(near(log_sum_exp(tensor({2, 3, 1}, {1, 2, 3, 4, 5, 6})), {6}, {1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(near(log_sum_exp(tensor({1, 2}, {1000, 1000})), {1}, {1000 + std::log(2.0)}, 1e-4));
  const Tensor of_nothing = log_sum_exp(Tensor({2, 3, 0}));
  EXPECT_EQ(values(of_nothing), std::vector<double>(6, -std::numeric_limits<double>::infinity()));
}

// The largest entries as a search finds them, in the way in use.
TopK largest_of(const Tensor& x, Index first_column, Index k) {
  return top_k_and_log_sum_exp(x, first_column, k).top;
}

TEST(TopK, FindsTheLargestOfEachRow) {
  const TopK top = largest_of(tensor({2, 5}, {3, 9, 1, 7, 5,  //
                                              -3, -9, -1, -7, -5}),
                              0, 3);
  EXPECT_EQ(top.columns, (std::vector<int>{1, 3, 4, 2, 0, 4}));
  EXPECT_EQ(top.values, (std::vector<Real>{9, 7, 5, -1, -3, -5}));
}

TEST(TopK, EqualEntriesComeFromLeftToRightAndColumnsBeforeTheFirstDoNotCount) {
  const auto columns = [](const std::vector<double>& row, Index first, Index k) {
    return largest_of(tensor({1, std::ssize(row)}, row), first, k).columns;
  };
  EXPECT_EQ(columns({3, 9, 1, 7, 5}, 2, 2), (std::vector<int>{3, 4}));
  EXPECT_EQ(columns({2, 4, 4, 2, 4, 2}, 0, 4), (std::vector<int>{1, 2, 4, 0}));
  EXPECT_EQ(columns({2, 4, 1, 3}, 0, 4), (std::vector<int>{1, 3, 0, 2})) << "all of them";
}

TEST(TopK, ANaNCountsAsMinusInfinity) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Real minus_infinity = -std::numeric_limits<Real>::infinity();
  const TopK top = largest_of(tensor({3, 5}, {nan, 3, nan, 5, 1,         //
                                              -4, -3, nan, nan, -2,      //
                                              nan, nan, nan, nan, -7}),  //
                              0, 2);
  EXPECT_EQ(top.columns, (std::vector<int>{3, 1, 4, 1, 4, 0}));
  EXPECT_EQ(top.values, (std::vector<Real>{5, 3, -2, -3, -7, minus_infinity}));
}

// A row much longer than the blocks in which the fast way reads it, with few different values, so that there
// are many equal ones in several blocks.
TEST(TopK, OfALongRowWithManyEqualEntriesIsThatOfAStableSort) {
  constexpr Index kColumns = 3001;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const int distinct : {1, 2, 7, 300}) {
    std::vector<double> row;
    for (Index i = 0; i < kColumns; ++i) row.push_back(i % 101 == 5 ? nan : double(i * i % 2011 % distinct));
    for (const Index first : {0, 3, 255, 2995})
      for (const Index k : {1, 4, 6}) {
        std::vector<int> order(kColumns - first);
        std::iota(order.begin(), order.end(), static_cast<int>(first));
        const auto value = [&](int i) { return std::isnan(row[i]) ? -HUGE_VAL : row[i]; };
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return value(a) > value(b); });
        EXPECT_EQ(largest_of(tensor({1, kColumns}, row), first, k).columns,
                  std::vector<int>(order.begin(), order.begin() + k))
            << distinct << " values, first column " << first << ", k = " << k;
      }
  }
}

TEST(TopK, TogetherWithLogSumExpOfAllColumnsIsTheSame) {
  for (const Index columns : {4, 33, 256, 1000}) {
    const Tensor x = random_tensor({3, columns}, 6);
    const auto [top, log_sums] = top_k_and_log_sum_exp(x, 1, 3);
    EXPECT_EQ(top.columns, top_k(x, 1, 3).columns);
    EXPECT_EQ(top.values, top_k(x, 1, 3).values);
    EXPECT_TRUE(same_bits(log_sums, log_sum_exp(x)));
  }
}

TEST(TopK, MoreThanThereAreIsRefused) {
  EXPECT_THROW(top_k(tensor({1, 4}, {2, 4, 1, 3}), 2, 3), std::logic_error);
  EXPECT_THROW(top_k(tensor({1, 4}, {2, 4, 1, 3}), 0, 0), std::logic_error);
  EXPECT_THROW(top_k_and_log_sum_exp(tensor({1, 4}, {2, 4, 1, 3}), 2, 3), std::logic_error);
}

}  // namespace
}  // namespace plainformer
