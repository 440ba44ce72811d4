// The forms of a factor: in place, packed, spread out. None may change a bit of the product.
#include "ops/fast/macro_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "support/matmul.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

constexpr Index kProductRows = 31, kProductDepth = 65, kCols = 50;  // no multiple of a tile
constexpr Index kPage = 4096 / sizeof(Real);

class MacroKernel : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { use_kernels(GetParam()); }
  void TearDown() override { use_kernels(before_); }

  // The product, computed into wider rows, whose ends must stay as they were.
  static Tensor product(const LeftMicroPanels& left, const RightMicroPanels& right) {
    constexpr Index kStride = kCols + 5;
    Tensor wide = Tensor::filled({kProductRows, kStride}, 77), c({kProductRows, kCols});
    macro_kernel(left, right, wide.mutable_data(), kStride, false);
    for (Index i = 0; i < kProductRows; ++i) {
      std::copy_n(wide.data() + i * kStride, kCols, c.mutable_data() + i * kCols);
      for (Index j = kCols; j < kStride; ++j) EXPECT_EQ(wide(i, j), 77) << "written beyond row " << i;
    }
    return c;
  }

  const Tensor a = random_tensor({kProductRows, kProductDepth}, 1), a_across = transposed(a);
  const Tensor b = random_tensor({kProductDepth, kCols}, 2), b_across = transposed(b);
  Scratch scratch;

 private:
  const std::string before_ = kernels().name;
};

INSTANTIATE_TEST_SUITE_P(AllKernels, MacroKernel, testing::ValuesIn(supported_kernels()),
                         [](const auto& instance) { return instance.param; });

TEST_P(MacroKernel, EveryFormOfAFactorGivesTheSameBits) {
  const LeftMicroPanels left = left_in_place(as_matrix(a));
  const RightMicroPanels right = right_in_place(as_matrix(b));
  const Tensor expected = matmul(a, Transpose::kNo, b, Transpose::kNo);
  EXPECT_TRUE(same_bits(product(left, right), expected));
  EXPECT_TRUE(same_bits(product(pack_left(as_matrix(a), Transpose::kNo, scratch), right), expected));
  EXPECT_TRUE(same_bits(product(left_transposed_in_place(as_matrix(a_across)), right), expected));
  EXPECT_TRUE(same_bits(product(pack_left(as_matrix(a_across), Transpose::kYes, scratch), right), expected));
  EXPECT_TRUE(same_bits(product(left, pack_right(as_matrix(b), Transpose::kNo, scratch)), expected));
  EXPECT_TRUE(same_bits(product(left, pack_right(as_matrix(b_across), Transpose::kYes, scratch)), expected));
}

// A product spreads rows that are whole pages apart. The numbers between them are not read.
TEST_P(MacroKernel, RowsWholePagesApartAreSpreadOutAndGiveTheBitsOfContiguousOnes) {
  for (const Index depth : {Index{1}, kPage - 1, kPage, 2 * kPage}) {
    const Tensor x = random_tensor({3, 4 * kPage}, 4);
    const LeftMicroPanels spread = pack_left({x.data(), 3, depth, 4 * kPage}, Transpose::kNo, scratch);
    EXPECT_GE(spread.row_stride, depth);
    EXPECT_NE(spread.row_stride % kPage, 0) << depth;
  }
  Tensor apart = Tensor::filled({kProductRows, kPage}, std::numeric_limits<Real>::quiet_NaN());
  Tensor c({kProductRows, kCols});
  for (Index i = 0; i < kProductRows; ++i)
    std::copy_n(a.data() + i * kProductDepth, kProductDepth, apart.mutable_data() + i * kPage);
  multiply({apart.data(), kProductRows, kProductDepth, kPage}, Transpose::kNo, as_matrix(b), Transpose::kNo,
           c.mutable_data(), false);
  EXPECT_TRUE(same_bits(c, matmul(a, Transpose::kNo, b, Transpose::kNo)));
}

}  // namespace
}  // namespace plainformer
