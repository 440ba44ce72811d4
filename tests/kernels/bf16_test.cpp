// bfloat16 in every set of kernels: rounding, and pairs. (tests/ops/fast/matmul_test.cpp compares the
// products, whether one instruction computes a pair or two, with their definition.)
#include "kernels/bf16.h"

#include <bit>
#include <cstring>

#include "kernels/kernel_agreement.h"

namespace plainformer {
namespace {

Bf16 bits_of(double x) {
  return to_bf16(static_cast<Real>(x));
}

TEST(Bf16, IsTheNearestOfEightSignificantBits) {
  EXPECT_EQ(bits_of(1), 0x3f80);
  EXPECT_EQ(bits_of(-2), 0xc000);
  EXPECT_EQ(bits_of(1 + 0x1p-7), 0x3f81);            // the next number after 1
  EXPECT_EQ(bits_of(1 + 0x1p-8), 0x3f80);            // halfway: the even one, below
  EXPECT_EQ(bits_of(1 + 0x3p-8), 0x3f82);            // halfway: the even one, above
  EXPECT_EQ(bits_of(1 + 0x1p-8 + 0x1p-23), 0x3f81);  // a little more than halfway
  EXPECT_EQ(bits_of(double(std::numeric_limits<float>::max())), 0x7f80);
  EXPECT_EQ(bits_of(-0.0), 0x8000);
  EXPECT_EQ(from_bf16(0x3f81), 1 + 0x1p-7f);
}

TEST(Bf16, TakesSubnormalNumbersForZerosAndKeepsNaN) {
  EXPECT_EQ(bits_of(0x1p-126), 0x0080);
  EXPECT_EQ(bits_of(0x1.fffffcp-127), 0);  // it would be rounded up
  EXPECT_EQ(bits_of(-0x1p-149), 0x8000);
  for (std::uint32_t nan : {0x7f800001u, 0x7fc00000u, 0xffffffffu, 0x7f80ffffu})
    EXPECT_TRUE(std::isnan(from_bf16(to_bf16(static_cast<Real>(std::bit_cast<float>(nan)))))) << nan;
  EXPECT_EQ(to_bf16(kInfinity), 0x7f80);
}

TEST(Bf16, KeepsEachNumberThatItHolds) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float x = from_bf16(static_cast<Bf16>(bits));
    if (std::isnan(x) || std::fpclassify(x) == FP_SUBNORMAL) continue;
    EXPECT_EQ(to_bf16(Real{x}), bits);
  }
}

#ifndef PLAINFORMER_DOUBLE  // the double build refuses this precision

using Bf16Kernels = KernelAgreement;

INSTANTIATE_TEST_SUITE_P(AllKernels, Bf16Kernels, testing::ValuesIn(supported_kernels()),
                         [](const auto& instance) { return instance.param; });

std::uint32_t pair_of(float first, float second) {
  return to_bf16(first) | std::uint32_t{to_bf16(second)} << 16;
}

std::uint32_t bits_at(const float* x) {
  std::uint32_t bits;
  std::memcpy(&bits, x, sizeof bits);
  return bits;
}

// Random numbers, and in between some that rounding treats in a way of their own.
Input mixed_input(Index n, std::uint32_t seed) {
  Input x(n, seed);
  const float special[] = {kNaN,      kInfinity,   -kInfinity,  0x1p-127f,    -0x1p-149f, -0.0f,
                           0x1p-126f, 1 + 0x1p-8f, 1 + 0x3p-8f, -1 - 0x1p-8f, 3.4e38f};
  for (Index i = 0; i < n; i += 3) x.data()[i] = special[i / 3 % std::ssize(special)];
  return x;
}

TEST_P(Bf16Kernels, NeighborsBecomePairs) {
  for (Index n : lengths()) {
    Input x = mixed_input(n, 1);
    Output pairs((n + 1) / 2);
    kernel_set.pair_neighbors(n, x.data(), pairs.data());
    for (Index i = 0; i < n; i += 2)
      ASSERT_EQ(bits_at(pairs.data() + i / 2), pair_of(x.data()[i], i + 1 < n ? x.data()[i + 1] : 0.0f))
          << i << " of " << n;
  }
}

TEST_P(Bf16Kernels, RowsBecomePairsAlsoInPlace) {
  for (Index width : {1, 4, 14, 16, 32, 33})
    for (Index depth : {1, 2, 3, 8}) {
      Input x = mixed_input(depth * width, 2);
      Output pairs((depth + 1) / 2 * width);
      kernel_set.pair_rows(depth, width, x.data(), pairs.data());
      for (Index p = 0; p < depth; p += 2)
        for (Index j = 0; j < width; ++j) {
          const float* first = x.data() + p * width + j;
          ASSERT_EQ(bits_at(pairs.data() + p / 2 * width + j),
                    pair_of(*first, p + 1 < depth ? first[width] : 0.0f))
              << p << ", " << j << " of " << depth << " x " << width;
        }
      kernel_set.pair_rows(depth, width, x.data(), x.data());
      EXPECT_EQ(std::memcmp(x.data(), pairs.data(), std::size_t((depth + 1) / 2 * width) * sizeof(float)), 0);
    }
}

#endif

}  // namespace
}  // namespace plainformer
