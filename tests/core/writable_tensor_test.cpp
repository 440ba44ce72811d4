#include "core/writable_tensor.h"

#include <gtest/gtest.h>

#include "support/tensors.h"

namespace plainformer {
namespace {

TEST(TensorWriter, WritesUnderIndices) {
  Tensor x = Tensor::zeros({2, 3});
  TensorWriter y(x);
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 3; ++j) y(i, j) += static_cast<Real>(10 * i + j);
  EXPECT_TRUE(near(x, {2, 3}, {0, 1, 2, 10, 11, 12}, 0));
  y(1, 0) *= 2;
  EXPECT_EQ(y(1, 0), 20);
  EXPECT_EQ(x.at({1, 0}), 20);
}

TEST(TensorWriter, UsesTheIndicesUnderWhichATensorReads) {
  const Tensor x = random_tensor({2, 3, 5, 7}, 1);
  for (Index a = 0; a < 2; ++a)
    for (Index b = 0; b < 3; ++b)
      for (Index c = 0; c < 5; ++c)
        for (Index d = 0; d < 7; ++d) EXPECT_EQ(x(a, b, c, d), x.at({a, b, c, d}));
}

// As if the leading axes were one: [2, 3, 5] read as [6, 5] or as [30].
TEST(TensorWriter, FewerIndicesTakeTheLeadingAxesTogether) {
  Tensor x = random_tensor({2, 3, 5}, 1);
  const Tensor rows = x.reshaped({6, 5});
  for (Index row = 0; row < 6; ++row)
    for (Index j = 0; j < 5; ++j) {
      EXPECT_EQ(x(row, j), rows.at({row, j}));
      EXPECT_EQ(x(row * 5 + j), rows.at({row, j}));
    }
  TensorWriter y(x);
  y(5, 2) = 100;
  y(3) = 200;
  EXPECT_EQ(x.at({1, 2, 2}), 100);
  EXPECT_EQ(x.at({0, 0, 3}), 200);
}

TEST(TensorWriter, AVectorIsOneRow) {
  Tensor x = tensor({3}, {1, 2, 3});
  EXPECT_EQ(x(0, 2), 3);
  TensorWriter y(x);
  y(0, 1) = 7;
  EXPECT_TRUE(near(x, {3}, {1, 7, 3}, 0));
}

TEST(TensorWriter, DoesNotReachACopyMadeBefore) {
  Tensor x = tensor({3}, {1, 2, 3});
  const Tensor copy = x;
  TensorWriter y(x);
  y(1) = 7;
  EXPECT_TRUE(near(x, {3}, {1, 7, 3}, 0));
  EXPECT_TRUE(near(copy, {3}, {1, 2, 3}, 0));
}

}  // namespace
}  // namespace plainformer
