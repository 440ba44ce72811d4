#include "decoding/length_batches.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace plainformer {
namespace {

using Batches = std::vector<std::vector<Index>>;

TEST(BatchesByLength, TheLongestComeFirstAndEqualsKeepTheirOrder) {
  EXPECT_EQ(batches_by_length({3, 9, 3, 0, 7}, 2), (Batches{{1, 4}, {0, 2}, {3}}));
}

TEST(BatchesByLength, OneBatchMayHoldAll) {
  EXPECT_EQ(batches_by_length({1, 2, 3}, 5), (Batches{{2, 1, 0}}));
}

TEST(BatchesByLength, ABatchHasAtMostSoManyTokensWithItsPadding) {
  EXPECT_EQ(batches_by_length({4, 9, 3, 0, 7, 4}, 3, 8), (Batches{{1}, {4}, {0, 5}, {2, 3}}));
}

TEST(BatchesByLength, NothingGivesNoBatch) {
  EXPECT_EQ(batches_by_length({}, 2), Batches{});
}

TEST(BatchesByLength, ABatchHoldsSomething) {
  EXPECT_THROW(batches_by_length({1}, 0), std::logic_error);
}

}  // namespace
}  // namespace plainformer
