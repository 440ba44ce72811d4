#include "lab/table_1/layer_cost.h"

#include <gtest/gtest.h>

#include "ops/ways.h"

namespace plainformer {
namespace {

constexpr LayerSizes kSizes = {.d = 12, .heads = 3, .kernel = 5, .neighbors = 7, .global = 2};

// In both ways, and at lengths around the fast way's tiles and blocks.
TEST(LayerCost, TheCountIsTheFormula) {
  for (const std::string way : {"all", "none"}) {
    const WaysInScope chosen(plain_ways(way, "test"));
    for (const LayerKind kind : layer_kinds())
      for (const Index n : {9, 31, 67, 128}) {
        const LayerCost counted = counted_cost(kind, kSizes, n);
        EXPECT_EQ(counted.multiply_adds, formula_multiply_adds(kind, kSizes, n)) << name_of(kind) << n << way;
        EXPECT_EQ(counted.operation_calls, formula_operation_calls(kind, n)) << name_of(kind) << n << way;
      }
  }
}

// By hand, n = 10 and d = 12: 2 * 10 * 10 * 12; 2 * 10 * 12 * 12; 5 * 10 * 12 * 12; (5 + 4 + ... of the edge)
TEST(LayerCost, ByHand) {
  EXPECT_EQ(counted_cost(LayerKind::kSelfAttention, kSizes, 10).multiply_adds, 2400);
  EXPECT_EQ(counted_cost(LayerKind::kRecurrent, kSizes, 10).multiply_adds, 2880);
  EXPECT_EQ(counted_cost(LayerKind::kConvolution, kSizes, 10).multiply_adds, 7200);
  EXPECT_EQ(counted_cost(LayerKind::kDilatedConvolution, kSizes, 10).multiply_adds, 7200);
  // 10 + 9 + 8 + 7 + 6 products of each channel, and 10 of a vector and a matrix.
  EXPECT_EQ(counted_cost(LayerKind::kSeparableConvolution, kSizes, 10).multiply_adds, 40 * 12 + 1440);
  // Of 10 rows of 7, the first three lack 3 + 2 + 1 neighbors, and so do the last three.
  EXPECT_EQ(counted_cost(LayerKind::kNeighbors, kSizes, 10).multiply_adds, 2 * (70 - 12) * 12);
  // 2 rows see all 10. Of the other 8, each sees the 2 and its window among the 8.
  EXPECT_EQ(counted_cost(LayerKind::kNeighborsAndGlobal, kSizes, 10).multiply_adds,
            2 * (20 + 16 + 8 * 7 - 12) * 12);
}

TEST(LayerCost, TheProjectionsOfAttentionAre4Nd2) {
  for (const LayerKind kind : layer_kinds()) {
    const std::int64_t more = counted_cost_with_projections(kind, kSizes, 10).multiply_adds -
                              counted_cost(kind, kSizes, 10).multiply_adds;
    EXPECT_EQ(more, is_attention(kind) ? 4 * 10 * 12 * 12 : 0) << name_of(kind);
  }
}

}  // namespace
}  // namespace plainformer
