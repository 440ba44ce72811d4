// The forms of a factor: in place, packed, spread out. None may change a bit of the product.
#include "ops/fast/macro_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/random.h"

namespace plainformer {
namespace {

constexpr Index kProductRows = 31, kProductDepth = 65, kCols = 50;  // no multiple of a tile
constexpr Index kPage = 4096 / sizeof(Real);

// A row-major matrix with rows row_stride apart, and NaN between them.
std::vector<Real> random_rows(Index rows, Index cols, Index row_stride, std::uint64_t seed) {
  Random random(random_stream(seed, 0, 0));
  std::vector<Real> matrix(rows * row_stride, std::numeric_limits<Real>::quiet_NaN());
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) matrix[i * row_stride + j] = static_cast<Real>(random.normal());
  return matrix;
}

std::vector<Real> transposed(const std::vector<Real>& x, Index rows, Index cols) {
  std::vector<Real> result(x.size());
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) result[j * rows + i] = x[i * cols + j];
  return result;
}

class MacroKernel : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { use_kernels(GetParam()); }
  void TearDown() override { use_kernels(before_); }

  std::vector<Real> product(const LeftMicroPanels& left, const RightMicroPanels& right) const {
    std::vector<Real> c(kProductRows * kCols, -1);
    macro_kernel(left, right, c.data(), kCols, false, bias.data());
    return c;
  }

  const std::vector<Real> a = random_rows(kProductRows, kProductDepth, kProductDepth, 1),
                          b = random_rows(kProductDepth, kCols, kCols, 2);
  const std::vector<Real> bias = random_rows(1, kCols, kCols, 3);
  const MatrixView a_view = {a.data(), kProductRows, kProductDepth, kProductDepth},
                   b_view = {b.data(), kProductDepth, kCols, kCols};

 private:
  const std::string before_ = kernels().name;
};

INSTANTIATE_TEST_SUITE_P(AllKernels, MacroKernel, testing::ValuesIn(supported_kernels()),
                         [](const auto& instance) { return instance.param; });

TEST_P(MacroKernel, AddsProductsInOrderAndTheBiasLast) {
  const std::vector<Real> c = product(left_in_place(a_view), right_in_place(b_view));
  for (Index i = 0; i < kProductRows; ++i)
    for (Index j = 0; j < kCols; ++j) {
      double sum = 0, magnitude = 0;
      for (Index p = 0; p < kProductDepth; ++p) {
        const double term = double(a[i * kProductDepth + p]) * double(b[p * kCols + j]);
        sum += term;
        magnitude += std::abs(term);
      }
      const double tolerance =
          (kProductDepth + 1) * double(std::numeric_limits<Real>::epsilon()) * (magnitude + 4);
      EXPECT_NEAR(double(c[i * kCols + j]), sum + double(bias[j]), tolerance) << i << ", " << j;
    }
}

TEST_P(MacroKernel, EveryFormOfTheLeftFactorGivesTheSameBits) {
  const RightMicroPanels right = right_in_place(b_view);
  const std::vector<Real> expected = product(left_in_place(a_view), right);
  const std::vector<Real> across = transposed(a, kProductRows, kProductDepth);
  const MatrixView across_view = {across.data(), kProductDepth, kProductRows, kProductRows};
  Scratch scratch;
  EXPECT_EQ(product(left_spread_out(a_view, scratch), right), expected);
  EXPECT_EQ(product(left_transposed_in_place(across_view), right), expected);
  EXPECT_EQ(product(pack_left_transposed(across_view, scratch), right), expected);
}

TEST_P(MacroKernel, EveryFormOfTheRightFactorGivesTheSameBits) {
  const LeftMicroPanels left = left_in_place(a_view);
  const std::vector<Real> expected = product(left, right_in_place(b_view));
  const std::vector<Real> across = transposed(b, kProductDepth, kCols);
  Scratch scratch;
  EXPECT_EQ(product(left, pack_right(b_view, scratch)), expected);
  EXPECT_EQ(
      product(left, pack_right_transposed({across.data(), kCols, kProductDepth, kProductDepth}, scratch)),
      expected);
}

TEST_P(MacroKernel, SpreadOutRowsAreNotWholePagesApart) {
  Scratch scratch;
  for (const Index depth : {Index{1}, kPage - 1, kPage, 2 * kPage}) {
    const std::vector<Real> x = random_rows(3, depth, 4 * kPage, 4);
    const LeftMicroPanels spread = left_spread_out({x.data(), 3, depth, 4 * kPage}, scratch);
    EXPECT_GE(spread.row_stride, depth);
    EXPECT_NE(spread.row_stride % kPage, 0) << depth;
  }
}

// The product that spreads a's rows out by itself, beside the same numbers without gaps.
TEST_P(MacroKernel, RowsWholePagesApartGiveTheBitsOfContiguousOnes) {
  std::vector<Real> apart(kProductRows * kPage, std::numeric_limits<Real>::quiet_NaN());
  for (Index i = 0; i < kProductRows; ++i)
    std::copy_n(a.data() + i * kProductDepth, kProductDepth, apart.data() + i * kPage);
  std::vector<Real> expected(kProductRows * kCols), c(kProductRows * kCols);
  multiply(a_view, Transpose::kNo, b_view, Transpose::kNo, expected.data(), kCols, false, bias.data());
  multiply({apart.data(), kProductRows, kProductDepth, kPage}, Transpose::kNo, b_view, Transpose::kNo,
           c.data(), kCols, false, bias.data());
  EXPECT_EQ(c, expected);
}

}  // namespace
}  // namespace plainformer
