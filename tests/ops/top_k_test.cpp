#include "ops/top_k.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "support/tensors.h"

namespace plainformer {
namespace {

TEST(TopK, FindsTheLargestOfEachRow) {
  const TopK top = top_k(tensor({2, 5}, {3, 9, 1, 7, 5,  //
                                         -3, -9, -1, -7, -5}),
                         0, 3);
  EXPECT_EQ(top.k, 3);
  EXPECT_EQ(top.columns, (std::vector<int>{1, 3, 4, 2, 0, 4}));
  EXPECT_EQ(top.values, (std::vector<Real>{9, 7, 5, -1, -3, -5}));
}

TEST(TopK, ColumnsBeforeTheFirstDoNotCount) {
  EXPECT_EQ(top_k(tensor({1, 5}, {3, 9, 1, 7, 5}), 2, 2).columns, (std::vector<int>{3, 4}));
}

TEST(TopK, EqualEntriesComeFromLeftToRight) {
  EXPECT_EQ(top_k(tensor({1, 6}, {2, 4, 4, 2, 4, 2}), 0, 4).columns, (std::vector<int>{1, 2, 4, 0}));
}

TEST(TopK, AllOfThemAreSorted) {
  EXPECT_EQ(top_k(tensor({1, 4}, {2, 4, 1, 3}), 0, 4).columns, (std::vector<int>{1, 3, 0, 2}));
}

TEST(TopK, AgreesWithSorting) {
  const Index columns = 300;
  const Tensor x = random_tensor({1, columns}, 5);
  std::vector<int> order(columns);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return x.data()[a] > x.data()[b]; });
  for (const Index k : {1, 2, 17, 299})
    EXPECT_EQ(top_k(x, 0, k).columns, std::vector<int>(order.begin(), order.begin() + k));
}

TEST(TopK, ANaNCountsAsMinusInfinity) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Real minus_infinity = -std::numeric_limits<Real>::infinity();
  const TopK top = top_k(tensor({3, 5}, {nan, 3, nan, 5, 1,         //
                                         -4, -3, nan, nan, -2,      //
                                         nan, nan, nan, nan, -7}),  //
                         0, 2);
  EXPECT_EQ(top.columns, (std::vector<int>{3, 1, 4, 1, 4, 0}));
  EXPECT_EQ(top.values, (std::vector<Real>{5, 3, -2, -3, -7, minus_infinity}));
}

TEST(TopK, MoreThanThereAreIsRefused) {
  EXPECT_THROW(top_k(tensor({1, 4}, {2, 4, 1, 3}), 2, 3), std::logic_error);
  EXPECT_THROW(top_k(tensor({1, 4}, {2, 4, 1, 3}), 0, 0), std::logic_error);
}

}  // namespace
}  // namespace plainformer
