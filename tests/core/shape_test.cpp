#include "core/shape.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace plainformer {
namespace {

TEST(Shape, KnowsItsExtents) {
  const Shape shape = {2, 3, 5, 7};
  EXPECT_EQ(shape.rank(), 4);
  EXPECT_EQ(shape[0], 2);
  EXPECT_EQ(shape[3], 7);
  EXPECT_EQ(shape.elements(), 210);
}

TEST(Shape, CountsNegativeAxesFromTheEnd) {
  const Shape shape = {2, 3, 5};
  EXPECT_EQ(shape[-1], 5);
  EXPECT_EQ(shape[-3], 2);
}

TEST(Shape, RefusesAnAxisThatIsNotThere) {
  const Shape shape = {2, 3, 5};
  EXPECT_THROW(shape[3], std::logic_error);
  EXPECT_THROW(shape[-4], std::logic_error);
}

TEST(Shape, OfAnEmptyTensorHasRankZero) {
  const Shape shape;
  EXPECT_EQ(shape.rank(), 0);
  EXPECT_EQ(shape.elements(), 0);
  EXPECT_EQ(shape.to_string(), "[]");
}

TEST(Shape, MayHaveAnExtentOfZero) {
  EXPECT_EQ((Shape{2, 0, 5}).elements(), 0);
}

TEST(Shape, RefusesRanksAndExtentsThatItCannotHold) {
  EXPECT_THROW(Shape({1, 1, 1, 1, 1}), std::logic_error);
  EXPECT_THROW(Shape({2, -1}), std::logic_error);
}

TEST(Shape, RefusesToCountMoreElementsThanAnIndexHolds) {
  const Index root = Index{1} << 4 * sizeof(Index);  // its square wraps to 0
  EXPECT_THROW(Shape({root, root}), std::overflow_error);
}

TEST(Shape, IsEqualOnlyInEveryExtentAndInRank) {
  EXPECT_EQ((Shape{2, 3}), (Shape{2, 3}));
  EXPECT_NE((Shape{2, 3}), (Shape{3, 2}));
  EXPECT_NE((Shape{2, 3}), (Shape{2, 3, 1}));
  EXPECT_NE((Shape{2, 0}), (Shape{2}));
}

TEST(Shape, PrintsItself) {
  EXPECT_EQ((Shape{2, 8, 7, 9}).to_string(), "[2, 8, 7, 9]");
  EXPECT_EQ((Shape{5}).to_string(), "[5]");
}

}  // namespace
}  // namespace plainformer
