#include "ops/ragged_matmul.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tensors.h"

namespace plainformer {
namespace {

// Columns first .. first + cols - 1 of rows 0 .. rows - 1.
MatrixView part(const Tensor& x, Index rows, Index first, Index cols) {
  return {x.data() + first, rows, cols, x.dim(1)};
}

TEST(RaggedMatmul, MultipliesEachPair) {
  const Tensor a = tensor({2, 3}, {1, 2, 3, 4, 5, 6}), b = tensor({3, 2}, {1, 0, 0, 1, 1, 1});
  Tensor c({2, 2}), d({1, 1});
  const std::vector<SmallProduct> products = {
      {part(a, 2, 0, 3), part(b, 3, 0, 2), c.mutable_data(), 2},
      {part(a, 1, 1, 2), part(b, 2, 1, 1), d.mutable_data(), 1},
  };
  ragged_matmul(products);
  EXPECT_TRUE(near(c, {2, 2}, {4, 5, 10, 11}, 0));
  EXPECT_TRUE(near(d, {1, 1}, {3}, 0));
}

// All sizes around those of the tiles, inside larger matrices; what lies around c stays as it is.
TEST(RaggedMatmul, HasTheBitsOfMultiplyAndWritesNothingElse) {
  const Tensor a = random_tensor({37, 80}, 1), b = random_tensor({70, 90}, 2);
  for (const Index m : {1, 2, 4, 5, 13, 14, 15, 37}) {
    for (const Index n : {1, 7, 8, 16, 17, 31, 32, 33, 65}) {
      for (const Index k : {1, 2, 32, 70}) {
        Tensor c = Tensor::filled({40, 100}, 7), expected = Tensor::filled({40, 100}, 7);
        const SmallProduct product = {part(a, m, 3, k), part(b, k, 5, n), c.mutable_data() + 101, 100};
        ragged_matmul({&product, 1});
        multiply(product.a, Transpose::kNo, product.b, Transpose::kNo, expected.mutable_data() + 101, 100,
                 false);
        ASSERT_TRUE(same_bits(c, expected)) << m << " x " << k << " x " << n;
      }
    }
  }
}

TEST(RaggedMatmul, ManyProductsAreSharedAmongThreads) {
  const Tensor a = random_tensor({8, 32}, 3), b = random_tensor({32, 24}, 4);
  Tensor c({500 * 8, 24}), expected({8, 24});
  std::vector<SmallProduct> products;
  for (Index i = 0; i < 500; ++i)
    products.push_back({part(a, 8, 0, 32), part(b, 32, 0, 24), c.mutable_data() + i * 8 * 24, 24});
  ragged_matmul(products);
  multiply(products[0].a, Transpose::kNo, products[0].b, Transpose::kNo, expected.mutable_data(), 24, false);
  for (Index i = 0; i < c.size(); ++i) ASSERT_EQ(c.data()[i], expected.data()[i % expected.size()]);
}

TEST(RaggedMatmul, NothingIsNothing) {
  EXPECT_NO_THROW(ragged_matmul({}));
}

TEST(RaggedMatmul, InnerExtentsMustAgree) {
  const Tensor a = random_tensor({2, 3}, 1), b = random_tensor({2, 3}, 2);
  Tensor c({2, 3});
  const SmallProduct product = {part(a, 2, 0, 3), part(b, 2, 0, 3), c.mutable_data(), 3};
  EXPECT_THROW(ragged_matmul({&product, 1}), std::logic_error);
}

}  // namespace
}  // namespace plainformer
