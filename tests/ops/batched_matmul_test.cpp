#include "ops/batched_matmul.h"

#include <gtest/gtest.h>

#include "gradient_check.h"
#include "tensors.h"

namespace plainformer {
namespace {

constexpr Transpose kNo = Transpose::kNo, kYes = Transpose::kYes;

TEST(BatchedMatmul, MultipliesPairByPair) {
  const Tensor a = tensor({1, 2, 1, 2}, {1, 2, 10, 20}), b = tensor({1, 2, 2, 1}, {3, 5, 7, 11});
  EXPECT_TRUE(near(batched_matmul(a, kNo, b, kNo), {1, 2, 1, 1}, {1 * 3 + 2 * 5, 10 * 7 + 20 * 11}, 0));
}

// [2, 3, 5, 7] times [2, 3, 7, 4], with each factor stored as it is or transposed.
TEST(BatchedMatmul, EveryTransposition) {
  const Index m = 5, k = 7, n = 4;
  for (Transpose transpose_a : {kNo, kYes})
    for (Transpose transpose_b : {kNo, kYes}) {
      const bool a_turned = transpose_a == kYes, b_turned = transpose_b == kYes;
      const Tensor a = random_tensor(a_turned ? Shape{2, 3, k, m} : Shape{2, 3, m, k}, 1);
      const Tensor b = random_tensor(b_turned ? Shape{2, 3, n, k} : Shape{2, 3, k, n}, 2);
      const Tensor c = batched_matmul(a, transpose_a, b, transpose_b);
      ASSERT_EQ(c.shape(), (Shape{2, 3, m, n}));
      for (Index outer = 0; outer < 2; ++outer)
        for (Index inner = 0; inner < 3; ++inner)
          for (Index i = 0; i < m; ++i)
            for (Index j = 0; j < n; ++j) {
              double sum = 0;
              for (Index p = 0; p < k; ++p)
                sum += double(a_turned ? a.at({outer, inner, p, i}) : a.at({outer, inner, i, p})) *
                       double(b_turned ? b.at({outer, inner, j, p}) : b.at({outer, inner, p, j}));
              ASSERT_NEAR(c.at({outer, inner, i, j}), sum, 1e-5);
            }
    }
}

TEST(BatchedMatmul, RefusesShapesThatDoNotFit) {
  const Tensor a({2, 3, 5, 7});
  EXPECT_THROW(batched_matmul(a, kNo, Tensor({2, 3, 5, 7}), kNo), std::logic_error);
  EXPECT_THROW(batched_matmul(a, kNo, Tensor({2, 4, 7, 5}), kNo), std::logic_error);
  EXPECT_THROW(batched_matmul(a, kNo, Tensor({4, 3, 7, 5}), kNo), std::logic_error);
  EXPECT_THROW(batched_matmul(a, kNo, Tensor({3, 7, 5}), kNo), std::logic_error);
}

GRADIENT_TEST(BatchedMatmul, GradientsAreProductsAgain) {
  Tensor a = random_tensor({2, 3, 5, 7}, 1), b = random_tensor({2, 3, 7, 4}, 2);
  const Tensor grad_c = random_tensor({2, 3, 5, 4}, 3);
  EXPECT_TRUE(gradients_agree(
      [&] { return dot(grad_c, batched_matmul(a, kNo, b, kNo)); },
      {{"a", &a, batched_matmul(grad_c, kNo, b, kYes)}, {"b", &b, batched_matmul(a, kYes, grad_c, kNo)}}));
}

}  // namespace
}  // namespace plainformer
