#include "ops/swap_axes.h"

#include <gtest/gtest.h>

#include "gradient_check.h"
#include "tensors.h"

namespace plainformer {
namespace {

TEST(SwapMiddleAxes, ByHand) {
  const Tensor x = tensor({1, 2, 3, 1}, {0, 1, 2, 10, 11, 12});
  EXPECT_TRUE(near(swap_middle_axes(x), {1, 3, 2, 1}, {0, 10, 1, 11, 2, 12}, 0));
}

TEST(SwapMiddleAxes, MovesEveryElement) {
  const Tensor x = random_tensor({2, 3, 5, 7}, 1), y = swap_middle_axes(x);
  ASSERT_EQ(y.shape(), (Shape{2, 5, 3, 7}));
  for (Index a = 0; a < 2; ++a)
    for (Index b = 0; b < 3; ++b)
      for (Index c = 0; c < 5; ++c)
        for (Index d = 0; d < 7; ++d) EXPECT_EQ(y.at({a, c, b, d}), x.at({a, b, c, d}));
}

TEST(SwapMiddleAxes, TwiceIsTheIdentity) {
  const Tensor x = random_tensor({2, 3, 5, 7}, 1);
  EXPECT_TRUE(same_bits(swap_middle_axes(swap_middle_axes(x)), x));
}

TEST(SwapMiddleAxes, RefusesAnotherRank) {
  EXPECT_THROW(swap_middle_axes(Tensor({2, 3, 5})), std::logic_error);
}

GRADIENT_TEST(SwapMiddleAxes, Gradient) {
  Tensor x = random_tensor({2, 3, 5, 7}, 1);
  const Tensor grad_y = random_tensor({2, 5, 3, 7}, 2);
  EXPECT_TRUE(gradients_agree([&] { return dot(grad_y, swap_middle_axes(x)); },
                              {{"x", &x, swap_middle_axes(grad_y)}}));
}

}  // namespace
}  // namespace plainformer
