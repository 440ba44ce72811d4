#include "ops/elementwise.h"

#include <gtest/gtest.h>

#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

TEST(Elementwise, Adds) {
  EXPECT_TRUE(
      near(add(tensor({2, 2}, {1, 2, 3, 4}), tensor({2, 2}, {10, 20, 30, 40})), {2, 2}, {11, 22, 33, 44}, 0));
}

TEST(Elementwise, Scales) {
  EXPECT_TRUE(near(scale(tensor({3}, {1, -2, 4}), 3), {3}, {3, -6, 12}, 0));
}

TEST(Elementwise, LeavesASharedInputAlone) {
  const Tensor x = tensor({2}, {1, 2});
  add(x, x);
  scale(x, 5);
  EXPECT_TRUE(near(x, {2}, {1, 2}, 0));
}

TEST(Elementwise, MayAddATensorToItself) {
  const Tensor x = tensor({2}, {1, 2});
  EXPECT_TRUE(near(add(x, x), {2}, {2, 4}, 0));
}

TEST(Elementwise, CoversEveryElementOfALongTensor) {
  const Tensor sum = add(Tensor::filled({7, 11'003}, 1), Tensor::filled({7, 11'003}, 2));
  for (Index i = 0; i < sum.size(); ++i) ASSERT_EQ(sum.data()[i], 3) << i;
}

TEST(Elementwise, RefusesToAddDifferentShapes) {
  EXPECT_THROW(add(Tensor({2, 3}), Tensor({3, 2})), std::logic_error);
}

GRADIENT_TEST(Elementwise, Gradient) {
  Tensor x = random_tensor({2, 3, 5}, 1), y = random_tensor({2, 3, 5}, 2);
  const Tensor grad = random_tensor({2, 3, 5}, 3);
  EXPECT_TRUE(gradients_agree([&] { return dot(grad, add(x, y)); }, {{"x", &x, grad}, {"y", &y, grad}}));
  EXPECT_TRUE(gradients_agree([&] { return dot(grad, scale(x, 3)); }, {{"x", &x, scale(grad, 3)}}));
}

}  // namespace
}  // namespace plainformer
