#include "train/costs/batch_shape.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

// The source gets </s>, the target <s>.
TEST(BatchShape, OfABatchHasTheSpecialSymbols) {
  const TranslationBatch batch = TranslationBatch::from({{5, 6, 7}, {5}}, {{8}, {8, 9}});
  const BatchShape shape = BatchShape::of(batch);
  EXPECT_EQ(shape.source_lengths, (std::vector<Index>{4, 2}));
  EXPECT_EQ(shape.target_lengths, (std::vector<Index>{2, 3}));
  EXPECT_EQ(shape.batch(), 2);
  EXPECT_EQ(shape.source_len(), 4);
  EXPECT_EQ(shape.target_len(), 3);
  EXPECT_EQ(shape.source_positions(), 8);
  EXPECT_EQ(shape.target_positions(), 6);
}

TEST(BatchShape, OfEqualLengths) {
  const BatchShape shape = BatchShape::equal_lengths(3, 5, 7);
  EXPECT_EQ(shape.source_lengths, (std::vector<Index>{5, 5, 5}));
  EXPECT_EQ(shape.target_lengths, (std::vector<Index>{7, 7, 7}));
  EXPECT_EQ(shape.target_positions(), 21);
}

TEST(BatchShape, MayHoldNothing) {
  const BatchShape nothing = BatchShape::equal_lengths(0, 5, 7);
  EXPECT_EQ(nothing.source_len(), 0);
  EXPECT_EQ(nothing.target_positions(), 0);
}

}  // namespace
}  // namespace plainformer
