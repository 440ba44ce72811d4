#include "ops/fast/prepared_matrix.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "ops/linear.h"
#include "ops/ways.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

TEST(PreparedMatrix, MultipliesAsTheMatrixItWasMadeOf) {
  const Tensor x = tensor({1, 2}, {1, 10}), w = tensor({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(near(prepared_linear_forward(x, PreparedMatrix(w, Transpose::kNo)), {1, 3}, {41, 52, 63}, 0));
  const Tensor y = tensor({1, 3}, {1, 10, 100});
  EXPECT_TRUE(near(prepared_linear_forward(y, PreparedMatrix(w, Transpose::kYes)), {1, 2}, {321, 654}, 0));
}

TEST(PreparedMatrix, KeepsNothingOfTheMatrixItWasMadeOf) {
  Tensor w = tensor({1, 2}, {3, 4});
  const PreparedMatrix prepared(w, Transpose::kNo);
  w.mutable_data()[0] = 7;
  EXPECT_TRUE(near(prepared_linear_forward(tensor({1, 1}, {1}), prepared), {1, 2}, {3, 4}, 0));
}

// Sizes around those of the tiles and of the blocks of depth and columns, and some that several threads
// share.
TEST(PreparedMatrix, HasTheBitsOfTheMatrixItWasMadeOf) {
  const WaysInScope fast(plain_ways("none", "test"));
  for (const Index k : {1, 7, 513, 1100}) {
    for (const Index n : {1, 31, 33, 700}) {
      const Parameter w(random_tensor({k, n}, 2)), transposed(random_tensor({n, k}, 3));
      const Parameter b(random_tensor({n}, 4));
      const PreparedMatrix prepared(w.value, Transpose::kNo);
      const PreparedMatrix prepared_transposed(transposed.value, Transpose::kYes);
      for (const Index m : {1, 5, 33, 130}) {
        const Tensor x = random_tensor({1, m, k}, 1);
        ASSERT_TRUE(same_bits(prepared_linear_forward(x, prepared), linear_forward(x, w)));
        ASSERT_TRUE(same_bits(prepared_linear_bias_forward(x, prepared, b), linear_bias_forward(x, w, b)));
        ASSERT_TRUE(same_bits(prepared_linear_forward(x, prepared_transposed),
                              linear_transposed_forward(x, transposed)))
            << m << " x " << n << " x " << k;
      }
    }
  }
}

TEST(PreparedMatrix, KnowsItsShapeAndChecksTheOtherFactors) {
  const PreparedMatrix prepared(random_tensor({2, 3}, 1), Transpose::kYes);
  EXPECT_EQ(prepared.rows(), 3);
  EXPECT_EQ(prepared.cols(), 2);
  EXPECT_THROW(prepared_linear_forward(random_tensor({1, 2}, 2), prepared), std::logic_error);
  const Parameter short_bias(Tensor::zeros({1}));
  EXPECT_THROW(prepared_linear_bias_forward(random_tensor({1, 3}, 2), prepared, short_bias),
               std::logic_error);
  EXPECT_THROW(PreparedMatrix(random_tensor({1, 2, 3}, 1), Transpose::kNo), std::logic_error);
}

// Another table has tiles of another width.
TEST(PreparedMatrix, BelongsToTheKernelsItWasPackedFor) {
  if (supported_kernels().size() < 2) GTEST_SKIP() << "one table only";
  const std::string mine = kernels().name;
  const PreparedMatrix prepared(random_tensor({2, 3}, 1), Transpose::kNo);
  for (const std::string& name : supported_kernels()) {
    if (name == mine) continue;
    use_kernels(name);
    EXPECT_THROW(prepared.product(random_tensor({1, 2}, 2), nullptr), std::logic_error);
  }
  use_kernels(mine);
  EXPECT_NO_THROW(prepared.product(random_tensor({1, 2}, 2), nullptr));
}

}  // namespace
}  // namespace plainformer
