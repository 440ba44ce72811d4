#include "ops/heads.h"

#include <gtest/gtest.h>

#include "support/tensors.h"

namespace plainformer {
namespace {

// [batch=1, len=2, heads * d_k=6]: three heads of two columns.
const Tensor kTogether = tensor({1, 2, 6}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
const std::vector<double> kSplit = {1, 2, 7, 8, 3, 4, 9, 10, 5, 6, 11, 12};  // [1, heads=3, len=2, d_k=2]

TEST(Heads, AHeadIsABlockOfColumns) {
  EXPECT_TRUE(near(split_heads(kTogether, 3), {1, 3, 2, 2}, kSplit, 0));
}

TEST(Heads, ConcatenatingPutsThemSideBySideAgain) {
  const Tensor x = random_tensor({2, 3, 10}, 1);
  const Tensor again = concatenate_heads(split_heads(x, 5));
  EXPECT_EQ(again.shape(), x.shape());
  EXPECT_TRUE(near(again, x.shape(), values(x), 0));
}

}  // namespace
}  // namespace plainformer
