// Shapes, and the arithmetic of sizes that does not wrap.
#include "core/shape.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace plainformer {
namespace {

TEST(Shape, KnowsItsExtentsFromBothEnds) {
  const Shape shape = {2, 3, 5, 7};
  EXPECT_EQ(shape.rank(), 4);
  EXPECT_EQ(shape[0], 2);
  EXPECT_EQ(shape[3], 7);
  EXPECT_EQ(shape[-1], 7);
  EXPECT_EQ(shape[-4], 2);
  EXPECT_EQ(shape.elements(), 210);
  EXPECT_EQ(shape.to_string(), "[2, 3, 5, 7]");
  EXPECT_THROW(shape[4], std::logic_error);
  EXPECT_THROW(shape[-5], std::logic_error);
}

TEST(Shape, MayBeEmpty) {
  EXPECT_EQ(Shape().rank(), 0);
  EXPECT_EQ(Shape().elements(), 0);
  EXPECT_EQ(Shape().to_string(), "[]");
  EXPECT_EQ((Shape{2, 0, 5}).elements(), 0);
}

TEST(Shape, RefusesWhatItCannotHold) {
  EXPECT_THROW(Shape({1, 1, 1, 1, 1}), std::logic_error);
  EXPECT_THROW(Shape({2, -1}), std::logic_error);
  const Index root = Index{1} << 4 * sizeof(Index);  // its square wraps to 0
  EXPECT_THROW(Shape({root, root}), std::overflow_error);
}

TEST(Shape, IsEqualOnlyInEveryExtentAndInRank) {
  EXPECT_EQ((Shape{2, 3}), (Shape{2, 3}));
  EXPECT_NE((Shape{2, 3}), (Shape{3, 2}));
  EXPECT_NE((Shape{2, 3}), (Shape{2, 3, 1}));
  EXPECT_NE((Shape{2, 0}), (Shape{2}));
}

TEST(CheckedArithmetic, GivesWhatFitsAndRefusesWhatWraps) {
  constexpr Index kLargest = std::numeric_limits<Index>::max();
  EXPECT_EQ(checked_multiply(6, 7), 42);
  EXPECT_EQ(checked_multiply(0, kLargest), 0);
  EXPECT_EQ(checked_multiply(kLargest, 1), kLargest);
  EXPECT_EQ(checked_multiply(kLargest / 7, 7), kLargest / 7 * 7);  // the largest multiple of 7
  EXPECT_THROW(checked_multiply(kLargest / 7 + 1, 7), std::overflow_error);
  EXPECT_THROW(checked_multiply(kLargest, kLargest), std::overflow_error);
  // With 64 bits this is (2^62 + 1) 4. Modulo 2^64 it would be 4: small, positive, and wrong.
  EXPECT_THROW(checked_multiply(kLargest / 2 + 2, 4), std::overflow_error);

  EXPECT_EQ(checked_add(kLargest - 7, 7), kLargest);
  EXPECT_THROW(checked_add(kLargest - 7, 8), std::overflow_error);
}

}  // namespace
}  // namespace plainformer
