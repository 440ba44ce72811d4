#include "beyond/one_position.h"

#include <gtest/gtest.h>

#include "support/tensors.h"

namespace plainformer {
namespace {

TEST(OnePosition, IsTakenFromEachSentenceAndPutBack) {
  const Tensor x = tensor({2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  EXPECT_TRUE(near(take_position(x, 1), {2, 2}, {3, 4, 9, 10}, 0));
  Tensor y = Tensor::zeros({2, 3, 2});
  for (Index t = 0; t < 3; ++t) put_position(take_position(x, t), t, y);
  EXPECT_TRUE(same_bits(x, y));
}

TEST(OnePosition, TheLastOneDependsOnTheLength) {
  const Tensor x = tensor({2, 3, 1}, {1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(near(take_last_position(x, {3, 2}), {2, 1}, {3, 5}, 0));
  Tensor y = Tensor::zeros({2, 3, 1});
  put_last_position(tensor({2, 1}, {7, 8}), {3, 2}, y);
  EXPECT_TRUE(near(y, {2, 3, 1}, {0, 0, 7, 0, 8, 0}, 0));
}

TEST(OnePosition, ColumnsJoinAndSplit) {
  const Tensor a = tensor({2, 1}, {1, 4}), b = tensor({2, 2}, {2, 3, 5, 6});
  const Tensor x = join_columns(a, b);
  EXPECT_TRUE(near(x, {2, 3}, {1, 2, 3, 4, 5, 6}, 0));
  const auto [left, right] = split_columns(x, 1);
  EXPECT_TRUE(same_bits(left, a) && same_bits(right, b));
  EXPECT_EQ(join_columns(Tensor({2, 3, 4}), Tensor({2, 3, 1})).shape(), (Shape{2, 3, 5}));
}

TEST(OnePosition, PaddingStaysWhereItIsWhenASentenceIsTurnedAround) {
  const Tensor x = tensor({2, 3, 1}, {1, 2, 3, 4, 5, 0});
  EXPECT_TRUE(near(turn_around(x, {3, 2}), {2, 3, 1}, {3, 2, 1, 5, 4, 0}, 0));
  EXPECT_TRUE(same_bits(turn_around(turn_around(x, {3, 2}), {3, 2}), x));
}

TEST(OnePosition, RefusesOtherShapes) {
  Tensor x({2, 3, 2});
  EXPECT_THROW(put_position(Tensor({3, 2}), 0, x), std::logic_error);
  EXPECT_THROW(take_last_position(x, {3}), std::logic_error);
  EXPECT_THROW(put_last_position(Tensor({3, 2}), {3, 2}, x), std::logic_error);
  EXPECT_THROW(join_columns(Tensor({2, 2}), Tensor({3, 2})), std::logic_error);
  EXPECT_THROW(split_columns(Tensor({2, 2}), 2), std::logic_error);
  EXPECT_THROW(turn_around(x, {3}), std::logic_error);
}

}  // namespace
}  // namespace plainformer
