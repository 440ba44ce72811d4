// Half precision in every set of kernels: rounding, packing, and products that have the bits of their
// definition, whether an instruction or an emulation computes them.
#include "kernels/instruction_sets.h"
#include "kernels/kernel_agreement.h"
#include "support/bf16_reference.h"

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
    if (std::isnan(x) || x != flushed(x)) continue;
    EXPECT_EQ(to_bf16(static_cast<Real>(x)), bits);
  }
}

#ifndef PLAINFORMER_DOUBLE  // the double build has no other use of these kernels

#ifdef PLAINFORMER_X86
// That of avx512, also where the processor has the instructions.
const std::string kEmulation = "avx512_emulation";
#endif

std::vector<std::string> sets_and_emulation() {
  std::vector<std::string> names = supported_kernels();
#ifdef PLAINFORMER_X86
  if (std::find(names.begin(), names.end(), "avx512") != names.end()) names.push_back(kEmulation);
#endif
  return names;
}

Kernels kernels_named(const std::string& name) {
#ifdef PLAINFORMER_X86
  if (name == kEmulation) {
    Kernels emulating = find_kernels("avx512");
    emulating.bf16 = &avx512::kEmulatedBf16Kernels;
    return emulating;
  }
#endif
  return find_kernels(name);
}

class Bf16Agreement : public testing::TestWithParam<std::string> {
 protected:
  const Kernels kernel_set = kernels_named(GetParam());
};

INSTANTIATE_TEST_SUITE_P(AllKernels, Bf16Agreement, testing::ValuesIn(sets_and_emulation()),
                         [](const auto& instance) { return instance.param; });

using Bf16Definition = Bf16Agreement;

INSTANTIATE_TEST_SUITE_P(AllKernels, Bf16Definition, testing::ValuesIn(sets_and_emulation()),
                         [](const auto& instance) { return instance.param; });

// Floats of all kinds: usual ones, and with `special` any bits, so subnormal numbers, infinities and NaN.
struct Floats {
  Floats(Index n, std::uint32_t seed, bool special) : storage(std::size_t(kOffset + n)) {
    Random random(random_stream(seed, 0, 0));
    const std::uint32_t kinds[] = {0,          0x80000000, 1,          0x807fffff, 0x7f800000, 0xff800000,
                                   0x7f800001, 0x7f7fffff, 0x00800000, 0x00ffffff, 0x3f808000, 0x3f818000};
    for (Index i = 0; i < n; ++i) {
      data()[i] = static_cast<float>(4 * random.uniform() - 2);
      if (!special) continue;
      const auto any = static_cast<std::uint32_t>(random.below(1 << 16) << 16 | random.below(1 << 16));
      data()[i] = std::bit_cast<float>(random.below(2) ? any : kinds[random.below(std::size(kinds))]);
    }
  }
  float* data() { return storage.data() + kOffset; }
  std::vector<float> storage;
};

// Rows that end where the vector ends: sanitizers see a read beyond.
Bf16Source source(Floats& x, Index rows, Index cols, Index row_stride) {
  return {x.data(), rows, cols, row_stride};
}

TEST_P(Bf16Agreement, PacksFactorsLikeTheScalarSet) {
  constexpr Bf16 kFence = 0x1234;
  const Bf16Kernels &scalar = *find_kernels("scalar").bf16, &mine = *kernel_set.bf16;
  for (Index rows : {1, 2, 15, 16, 17, 31, 32, 33, 70})
    for (Index cols : {1, 2, 15, 16, 17, 31, 32, 33, 70})
      for (bool special : {false, true}) {
        const Index row_stride = cols + 3, size = (rows - 1) * row_stride + cols;
        Floats x(size, static_cast<std::uint32_t>(rows * 100 + cols), special);
        const Bf16Source from = source(x, rows, cols, row_stride);
        const std::size_t room = 3 * 32 * 4 * 32;
        std::vector<Bf16> expected(room, kFence), packed(room, kFence);
        const auto expect_same = [&](const char* form) {
          EXPECT_EQ(packed, expected) << form << " of " << rows << " x " << cols << ", special " << special;
          packed.assign(room, kFence);
          expected.assign(room, kFence);
        };
        mine.pack_left(from, packed.data(), 96);
        scalar.pack_left(from, expected.data(), 96);
        expect_same("left");
        mine.pack_left_transposed(from, packed.data(), 96);
        scalar.pack_left_transposed(from, expected.data(), 96);
        expect_same("left, transposed");
        mine.pack_right(from, packed.data());
        scalar.pack_right(from, expected.data());
        expect_same("right");
        mine.pack_right_transposed(from, packed.data());
        scalar.pack_right_transposed(from, expected.data());
        expect_same("right, transposed");
      }
}

// The place of each element, by hand: three columns, two rows.
TEST_P(Bf16Agreement, PutsPairsOfAColumnSideBySide) {
  const std::vector<float> x = {1, 2, 3, 4, 5, 6};
  std::vector<Bf16> packed(32 * 32, 9);
  kernel_set.bf16->pack_right({x.data(), 2, 3, 3}, packed.data());
  for (Index j = 0; j < 3; ++j) {
    EXPECT_EQ(from_bf16(packed[2 * j]), float(1 + j));
    EXPECT_EQ(from_bf16(packed[2 * j + 1]), float(4 + j));
  }
  packed[0] = packed[1] = packed[2] = packed[3] = packed[4] = packed[5] = 0;
  EXPECT_EQ(packed, std::vector<Bf16>(32 * 32, 0)) << "filled up with zeros";

  std::vector<Bf16> rows(2 * 32, 9);
  kernel_set.bf16->pack_left({x.data(), 2, 3, 3}, rows.data(), 32);
  for (Index i = 0; i < 2; ++i)
    for (Index p = 0; p < 32; ++p) EXPECT_EQ(from_bf16(rows[i * 32 + p]), p < 3 ? x[i * 3 + p] : 0.0f);
}

// One product of packed factors, and a fenced c.
class PackedProduct {
 public:
  PackedProduct(Index rows, Index cols, Index depth, std::uint32_t seed, bool special)
      : rows_(rows),
        cols_(cols),
        depth_(depth),
        a_((rows + 15) / 16 * 16 * a_row_stride()),
        b_((cols + 31) / 32 * 32 * depth, 0),
        c_(rows * c_row_stride() + 1, kUntouched) {
    Floats a(rows * depth, seed, special), b(depth * cols, seed + 1, special);
    Floats c(rows * cols, seed + 2, special), bias(cols, seed + 3, special);
    bias_.assign(bias.data(), bias.data() + cols);
    for (Index i = 0; i < rows; ++i)
      for (Index p = 0; p < depth; ++p)
        a_[i * a_row_stride() + p] = any_bf16(a.data()[i * depth + p], special);
    for (Index p = 0; p < depth; ++p)
      for (Index j = 0; j < cols; ++j) b_[place(p, j)] = any_bf16(b.data()[p * cols + j], special);
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j) c_[i * c_row_stride() + j] = c.data()[i * cols + j];
  }

  void expect_definition(const Kernels& kernel_set, bool accumulate, bool has_bias) {
    std::vector<float> c = c_;
    kernel_set.bf16->multiply({rows_, cols_, depth_, a_.data(), a_row_stride(), b_.data(), 32 * depth_,
                               c.data(), c_row_stride(), accumulate, has_bias ? bias_.data() : nullptr});
    for (Index i = 0; i < rows_; ++i) {
      const std::vector<Bf16> row(&a_[i * a_row_stride()], &a_[i * a_row_stride()] + depth_);
      for (Index j = 0; j < cols_; ++j) {
        std::vector<Bf16> column(depth_);
        for (Index p = 0; p < depth_; ++p) column[p] = b_[place(p, j)];
        const Index at = i * c_row_stride() + j;
        float expected = bf16_sum(kernel_set.name, row, column, accumulate ? c_[at] : 0.0f);
        if (has_bias) expected += bias_[j];
        ASSERT_TRUE(same_number(c[at], expected))
            << std::hexfloat << c[at] << " for " << expected << " at " << i << ", " << j << " of " << rows_
            << " x " << cols_ << " x " << depth_ << (accumulate ? ", accumulated" : "");
      }
      for (Index j = cols_; j < c_row_stride(); ++j) ASSERT_EQ(c[i * c_row_stride() + j], kUntouched);
    }
    ASSERT_EQ(c.back(), kUntouched);
  }

 private:
  Index a_row_stride() const { return depth_ + 32; }
  Index c_row_stride() const { return cols_ + 3; }
  Index place(Index p, Index j) const { return j / 32 * 32 * depth_ + (p / 2 * 32 + j % 32) * 2 + p % 2; }
  // With `special` subnormal ones as well, which no packing makes, but which the instructions define.
  static Bf16 any_bf16(float x, bool special) {
    return special ? static_cast<Bf16>(std::bit_cast<std::uint32_t>(x) >> 16) : to_bf16(x);
  }

  Index rows_, cols_, depth_;
  std::vector<Bf16> a_, b_;
  std::vector<float> c_, bias_;
};

TEST_P(Bf16Definition, ProductsHaveTheBitsOfTheirDefinition) {
  for (Index rows : {1, 2, 13, 14, 15, 16, 17, 31, 32, 33})
    for (Index cols : {1, 15, 16, 17, 31, 32, 33, 65}) {
      PackedProduct product(rows, cols, 64, static_cast<std::uint32_t>(rows * 100 + cols), false);
      for (bool accumulate : {false, true})
        for (bool has_bias : {false, true}) product.expect_definition(kernel_set, accumulate, has_bias);
    }
  for (Index depth : {0, 32, 96, 512}) {
    PackedProduct product(35, 37, depth, 7, false);
    for (bool accumulate : {false, true}) product.expect_definition(kernel_set, accumulate, true);
  }
}

TEST_P(Bf16Definition, ProductsOfSpecialValuesHaveTheBitsOfTheirDefinition) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    PackedProduct product(17, 33, 32, 10 * seed, true);
    for (bool accumulate : {false, true}) product.expect_definition(kernel_set, accumulate, seed % 2 == 0);
  }
}

// Sums around the smallest normal number, where flushing after rounding and before rounding differ.
TEST_P(Bf16Definition, SumsBecomeZeroIfTheyAreSubnormalAfterRounding) {
  struct Case {
    float sum, a, b;  // sum + a b
    float expected;
  };
  const float least = 0x1p-126f;
  for (const Case& item : {Case{least, -0x1p-75f, 0x1p-76f, least},  // - 2^-151: rounded up to normal
                           Case{least, -0x1p-75f, 0x1p-75f, 0},      // - 2^-150: subnormal, exactly
                           Case{2 * least, -1, 0x1.8p-126f, 0},      // a half of the smallest
                           Case{0, 0x1p-63f, 0x1p-63f, least},       // exactly the smallest
                           Case{0x1p-127f, 1, 1, 1},                 // a subnormal sum is zero
                           Case{0, -0x1p-64f, 0x1p-63f, -0.0f},      // keeps its sign, until 0 is added
                           Case{-1, 0x1p127f, 0x1p127f, float(kInfinity)},                     // overflow
                           Case{float(-kInfinity), 0x1p127f, 0x1p127f, float(-kInfinity)}}) {  // but no NaN
    std::vector<Bf16> a(16 * 32, 0), b(32 * 32, 0);
    a[0] = to_bf16(item.a);
    b[0] = to_bf16(item.b);
    float c = item.sum;
    kernel_set.bf16->multiply({1, 1, 32, a.data(), 32, b.data(), 32 * 32, &c, 1, true, nullptr});
    const std::vector<Bf16> row(a.begin(), a.begin() + 32),
        column(b.begin(), b.begin() + 32);  // zeros but one
    const float defined = bf16_sum(kernel_set.name, row, column, item.sum);
    EXPECT_TRUE(same_number(c, defined)) << std::hexfloat << c << " for " << defined;
    if (GetParam() != "amx") {
      EXPECT_EQ(std::fabs(c), std::fabs(item.expected))
          << std::hexfloat << item.sum << ", " << item.a << ", " << item.b;
    }
  }
}

// The emulation's mode of the processor ends with the product.
TEST_P(Bf16Definition, ProductsLeaveSubnormalNumbersToOthers) {
  PackedProduct(3, 5, 32, 1, false).expect_definition(kernel_set, false, false);
  volatile float least = 0x1p-126f;
  EXPECT_GT(least / 2, 0.0f);
}

// Sums of 1 and 32 times 2^-24: in pairs each of them is lost, in a tile they come together first.
TEST_P(Bf16Definition, TheTwoOrdersDiffer) {
  const std::vector<Bf16> a(16 * 32, 0x3f80), b(32 * 32, 0x3380);
  float c = 1;
  kernel_set.bf16->multiply({1, 1, 32, a.data(), 32, b.data(), 32 * 32, &c, 1, true, nullptr});
  EXPECT_EQ(c, GetParam() == "amx" ? 1 + 0x1p-19f : 1);
}

#endif

}  // namespace
}  // namespace plainformer
