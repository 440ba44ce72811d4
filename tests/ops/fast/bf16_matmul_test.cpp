// Products in half precision, in all transposed forms: the bits of their definition for every set of kernels,
// the same for any number of threads and any neighbors; and an error within a bound that is derived below.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/random.h"
#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/cross_entropy.h"
#include "ops/fast/prepared_matrix.h"
#include "ops/linear.h"
#include "ops/ways.h"
#include "support/bf16_reference.h"
#include "support/tensors.h"
#include "system/system.h"

#ifndef PLAINFORMER_DOUBLE

namespace plainformer {
namespace {

constexpr float kBf16Untouched = 77;
constexpr Transpose kBothTransposes[] = {Transpose::kNo, Transpose::kYes};

// op(matrix), and as it is stored: transposed or not, in wider rows than needed.
struct Bf16Factor {
  Bf16Factor(Index op_rows, Index op_cols, std::uint32_t seed)
      : rows(op_rows), cols(op_cols), values(std::size_t(op_rows * op_cols), 0) {
    Random random(random_stream(seed, 0, 0));
    for (float& value : values) value = static_cast<float>(random.normal());
  }

  float& at(Index i, Index j) { return values[std::size_t(i * cols + j)]; }
  float at(Index i, Index j) const { return values[std::size_t(i * cols + j)]; }

  MatrixView stored(Transpose transpose, Index padding = 3) {
    const bool plain = transpose == Transpose::kNo;
    const Index stored_rows = plain ? rows : cols, stored_cols = plain ? cols : rows;
    const Index row_stride = stored_cols + padding;
    storage.assign(std::size_t(stored_rows * row_stride), std::numeric_limits<float>::quiet_NaN());
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j)
        storage[std::size_t(plain ? i * row_stride + j : j * row_stride + i)] = at(i, j);
    return {storage.data(), stored_rows, stored_cols, row_stride};
  }

  Index rows, cols;
  std::vector<float> values, storage;
};

class Bf16Matmul : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { use_kernels(GetParam()); }
  void TearDown() override {
    use_kernels(kernels_before_);
    set_threads(default_threads());
  }

 private:
  const PrecisionInScope bf16_{Precision::kBf16};
  const WaysInScope fast_{plain_ways("none", "test")};
  const std::string kernels_before_ = kernels().name;
};

INSTANTIATE_TEST_SUITE_P(Tables, Bf16Matmul, testing::ValuesIn(supported_kernels()),
                         [](const auto& instance) { return instance.param; });

std::vector<float> bf16_product(MatrixView a, Transpose transpose_a, MatrixView b, Transpose transpose_b,
                                Index m, Index n) {
  std::vector<float> c(std::size_t(m * n), kBf16Untouched);
  multiply(a, transpose_a, b, transpose_b, c.data(), n, false);
  return c;
}

// --- the error ---
//
// A bfloat16 has 8 significant bits, so rounding x to it changes x by at most u |x| with u = 2^-8, and a
// bf16_product x y of two rounded numbers by at most (2 u + u^2) |x y|. The bf16_product itself is exact in a
// float. Each of the at most n + 2 additions of a sum rounds to 24 bits: together they change it by at most
// gamma times the sum of the rounded products' magnitudes, gamma = (n + 2) e / (1 - (n + 2) e), e = 2^-24
// (Higham 2002, section 3.1), in either order. Flushed numbers add at most 2^-126 times the largest factor
// for each of the 2 n + 2 roundings.
double error_bound(double magnitude, double largest, Index n) {
  constexpr double u = 0x1p-8, e = 0x1p-24;
  const double roundings = static_cast<double>(n + 2), rounded = magnitude * (1 + u) * (1 + u);
  const double gamma = roundings * e / (1 - roundings * e);
  return (2 * u + u * u) * magnitude + gamma * rounded + 2 * roundings * 0x1p-126 * (1 + largest);
}

void expect_within_bound(const Bf16Factor& a, const Bf16Factor& b, const std::vector<float>& c,
                         double& largest_share) {
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j < b.cols; ++j) {
      double sum = 0, magnitude = 0, largest = 0;
      for (Index p = 0; p < a.cols; ++p) {
        const double x = a.at(i, p), y = b.at(p, j);
        sum += x * y;
        magnitude += std::abs(x * y);
        largest = std::max({largest, std::abs(x), std::abs(y)});
      }
      const double error = std::abs(double(c[std::size_t(i * b.cols + j)]) - sum);
      const double bound = error_bound(magnitude, largest, a.cols);
      ASSERT_LE(error, bound) << i << ", " << j << " of " << a.rows << " x " << b.cols << " x " << a.cols;
      largest_share = std::max(largest_share, error / bound);
    }
}

TEST_P(Bf16Matmul, ErrsNoMoreThanTheRoundingOfFactorsAndSumsExplains) {
  double largest_share = 0;
  for (Index k : {1, 2, 31, 33, 64, 600})
    for (Transpose transpose_a : kBothTransposes)
      for (Transpose transpose_b : kBothTransposes) {
        Bf16Factor a(17, k, 1), b(k, 35, 2);
        expect_within_bound(
            a, b,
            bf16_product(a.stored(transpose_a), transpose_a, b.stored(transpose_b), transpose_b, 17, 35),
            largest_share);
      }
  EXPECT_GT(largest_share, 0.25) << "the bound is too loose to see an error";
}

// Factors that are rounded by nearly u each, in one direction: the bound is nearly reached.
TEST_P(Bf16Matmul, ComesCloseToItsBound) {
  Bf16Factor a(2, 96, 1), b(96, 3, 2);
  std::fill(a.values.begin(), a.values.end(), 1 + 0x0.fp-8f);
  std::fill(b.values.begin(), b.values.end(), 1 + 0x0.fp-8f);
  double largest_share = 0;
  expect_within_bound(
      a, b,
      bf16_product(a.stored(Transpose::kNo), Transpose::kNo, b.stored(Transpose::kNo), Transpose::kNo, 2, 3),
      largest_share);
  EXPECT_GT(largest_share, 0.9);
}

// --- the bits ---

// Adds the product to `sums`, element by element.
void add_by_definition(const Bf16Factor& a, const Bf16Factor& b, Bf16Factor& sums) {
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j < b.cols; ++j) {
      std::vector<float> row, column;
      for (Index p = 0; p < a.cols; ++p) {
        row.push_back(a.at(i, p));
        column.push_back(b.at(p, j));
      }
      sums.at(i, j) = bf16_sum(row, column, sums.at(i, j));
    }
}

// The product, or its sum with what was there, of factors stored in all orders.
void expect_definition(Index m, Index n, Index k, bool accumulate, bool has_bias) {
  Bf16Factor a(m, k, 1), b(k, n, 2), before(m, n, 3), bias(1, n, 4);
  const Index row_stride = n + 5;
  std::vector<float> start(std::size_t(m * row_stride + 1), kBf16Untouched);
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < n; ++j) start[std::size_t(i * row_stride + j)] = before.at(i, j);

  Bf16Factor expected = before;
  if (!accumulate) std::fill(expected.values.begin(), expected.values.end(), 0.0f);
  add_by_definition(a, b, expected);
  for (Index i = 0; has_bias && i < m; ++i)
    for (Index j = 0; j < n; ++j) expected.at(i, j) += bias.at(0, j);

  for (Transpose transpose_a : kBothTransposes)
    for (Transpose transpose_b : kBothTransposes) {
      const MatrixView a_view = a.stored(transpose_a), b_view = b.stored(transpose_b);
      std::vector<float> c = start;
      multiply(a_view, transpose_a, b_view, transpose_b, c.data(), row_stride, accumulate,
               has_bias ? bias.values.data() : nullptr);
      for (Index i = 0; i < m; ++i) {
        for (Index j = 0; j < n; ++j)
          ASSERT_EQ(c[std::size_t(i * row_stride + j)], expected.at(i, j))
              << "c[" << i << "][" << j << "] of " << m << " x " << n << " x " << k;
        for (Index j = n; j < row_stride; ++j)
          ASSERT_EQ(c[std::size_t(i * row_stride + j)], kBf16Untouched) << "written beyond row " << i;
      }
    }
}

TEST_P(Bf16Matmul, HasTheBitsOfItsDefinition) {
  for (Index m : {1, 2, 15, 16, 17, 33})
    for (Index n : {1, 31, 32, 33, 65})
      for (Index k : {1, 2, 31, 32, 35}) expect_definition(m, n, k, (m + n + k) % 2 == 0, m % 2 == 0);
  expect_definition(35, 77, 1037, true, true);  // several blocks of depth
  expect_definition(3, 2051, 67, false, true);  // and of columns
  expect_definition(2051, 2, 3, false, false);  // and of rows
}

TEST_P(Bf16Matmul, AnEmptySumIsZeroOrWhatWasThere) {
  for (bool has_bias : {false, true}) {
    expect_definition(3, 5, 0, false, has_bias);
    expect_definition(3, 5, 0, true, has_bias);
    expect_definition(0, 5, 3, false, has_bias);
    expect_definition(5, 0, 3, false, has_bias);
  }
}

TEST_P(Bf16Matmul, AnElementsBitsDependOnItsRowAndColumnOnly) {
  const Index m = 117, n = 99, k = 777;
  Bf16Factor a(m, k, 4), b(k, n, 5);
  const std::vector<float> whole =
      bf16_product(a.stored(Transpose::kNo), Transpose::kNo, b.stored(Transpose::kNo), Transpose::kNo, m, n);
  struct Block {
    Index row, rows, col, cols;
  };
  for (const Block& block : {Block{0, m, 0, n}, Block{0, 1, 0, n}, Block{50, 1, 98, 1}, Block{3, 2, 5, 40},
                             Block{100, 17, 31, 33}, Block{116, 1, 0, 1}}) {
    Bf16Factor rows(block.rows, k, 0), cols(k, block.cols, 0);
    for (Index p = 0; p < k; ++p) {
      for (Index i = 0; i < block.rows; ++i) rows.at(i, p) = a.at(block.row + i, p);
      for (Index j = 0; j < block.cols; ++j) cols.at(p, j) = b.at(p, block.col + j);
    }
    for (Transpose transpose_a : kBothTransposes)
      for (Transpose transpose_b : kBothTransposes) {
        const std::vector<float> part =
            bf16_product(rows.stored(transpose_a), transpose_a, cols.stored(transpose_b), transpose_b,
                         block.rows, block.cols);
        for (Index i = 0; i < block.rows; ++i)
          for (Index j = 0; j < block.cols; ++j)
            ASSERT_EQ(part[std::size_t(i * block.cols + j)],
                      whole[std::size_t((block.row + i) * n + block.col + j)])
                << "row " << block.row + i << ", column " << block.col + j;
      }
  }
}

TEST_P(Bf16Matmul, AnyNumberOfThreadsGivesTheSameBits) {
  struct Size {
    Index m, n, k;
  };
  for (const Size& size : {Size{257, 130, 96}, Size{9, 700, 351}, Size{350, 9, 1640}}) {
    Bf16Factor a(size.m, size.k, 6), b(size.k, size.n, 7);
    for (Transpose transpose_a : kBothTransposes)
      for (Transpose transpose_b : kBothTransposes) {
        const MatrixView a_view = a.stored(transpose_a), b_view = b.stored(transpose_b);
        set_threads(1);
        const std::vector<float> one = bf16_product(a_view, transpose_a, b_view, transpose_b, size.m, size.n);
        for (int count : {2, 3, 7}) {
          set_threads(count);
          EXPECT_EQ(bf16_product(a_view, transpose_a, b_view, transpose_b, size.m, size.n), one)
              << count << " threads";
        }
      }
  }
}

TEST_P(Bf16Matmul, NaNAndInfinityReachTheirRowAndColumnAndNoOther) {
  const Index m = 33, n = 35, k = 20;
  for (float special : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
    for (Transpose transpose_a : kBothTransposes)
      for (Transpose transpose_b : kBothTransposes) {
        Bf16Factor a(m, k, 15), b(k, n, 16);
        a.at(20, 3) = special;
        b.at(3, 34) = special;
        const std::vector<float> c =
            bf16_product(a.stored(transpose_a), transpose_a, b.stored(transpose_b), transpose_b, m, n);
        for (Index i = 0; i < m; ++i)
          for (Index j = 0; j < n; ++j)
            ASSERT_EQ(std::isfinite(c[std::size_t(i * n + j)]), i != 20 && j != 34) << i << ", " << j;
      }
}

// Values whose last one ends where readable memory ends.
class Bf16AtTheEdge {
 public:
  explicit Bf16AtTheEdge(const std::vector<float>& values) : memory_(values.size() * sizeof(float)) {
    std::copy(values.begin(), values.end(), data());
  }
  float* data() const { return static_cast<float*>(memory_.data()); }

 private:
  const GuardedMemory memory_;
};

TEST_P(Bf16Matmul, ReadsNothingBeyondItsFactors) {
  for (Index m : {1, 15, 35})
    for (Index n : {1, 21, 40})
      for (Index k : {1, 6, 35})
        for (Transpose transpose_a : kBothTransposes)
          for (Transpose transpose_b : kBothTransposes) {
            Bf16Factor a(m, k, 17), b(k, n, 18);
            MatrixView a_view = a.stored(transpose_a, 0), b_view = b.stored(transpose_b, 0);
            const std::vector<float> expected = bf16_product(a_view, transpose_a, b_view, transpose_b, m, n);
            const Bf16AtTheEdge a_edge(a.storage), b_edge(b.storage),
                c_edge(std::vector<float>(std::size_t(m * n), 1));
            a_view.data = a_edge.data();
            b_view.data = b_edge.data();
            multiply(a_view, transpose_a, b_view, transpose_b, c_edge.data(), n, false);
            ASSERT_TRUE(std::equal(expected.begin(), expected.end(), c_edge.data()));
          }
}

// --- who uses it ---

TEST_P(Bf16Matmul, APreparedMatrixHasTheBitsOfTheMatrixItWasMadeOf) {
  for (const Index k : {1, 7, 513})
    for (const Index n : {1, 31, 33, 1057}) {
      const Parameter w(random_tensor({k, n}, 2)), transposed(random_tensor({n, k}, 3));
      const Parameter b(random_tensor({n}, 4));
      const PreparedMatrix prepared(w.value, Transpose::kNo);
      const PreparedMatrix prepared_transposed(transposed.value, Transpose::kYes);
      for (const Index m : {1, 5, 33}) {
        const Tensor x = random_tensor({1, m, k}, 1);
        ASSERT_TRUE(same_bits(prepared_linear_forward(x, prepared), linear_forward(x, w)));
        ASSERT_TRUE(same_bits(prepared_linear_bias_forward(x, prepared, b), linear_bias_forward(x, w, b)));
        ASSERT_TRUE(same_bits(prepared_linear_forward(x, prepared_transposed),
                              linear_transposed_forward(x, transposed)))
            << m << " x " << n << " x " << k;
      }
    }
}

// Each factor, 1 + 2^-8, becomes 1: forward, and in both gradients.
TEST_P(Bf16Matmul, LinearRoundsTheFactorsOfAllItsProducts) {
  const float between = 1 + 0x1p-8f;
  const Tensor x = tensor({1, 1}, {between}), grad_y = tensor({1, 1}, {between});
  Parameter w(tensor({1, 1}, {between}));
  EXPECT_EQ(linear_forward(x, w).data()[0], 1);
  EXPECT_EQ(linear_backward(grad_y, x, w).data()[0], 1);
  EXPECT_EQ(w.grad.data()[0], 1);
  EXPECT_EQ(w.value.data()[0], between) << "the weight of record is not rounded";
  const PrecisionInScope in_float(Precision::kFloat);
  EXPECT_EQ(linear_forward(x, w).data()[0], between * between);
}

TEST_P(Bf16Matmul, TheLossIsAddedUpInFloatFromRoundedFactors) {
  const float between = 1 + 0x1p-8f;
  const Tensor x = tensor({1, 1}, {between});
  Parameter table(tensor({2, 1}, {between, 0}));
  const int targets[] = {0};
  const CrossEntropy loss = projected_cross_entropy_forward(x, table, targets, 0);
  EXPECT_NEAR(loss.loss, std::log1p(std::exp(-1.0)), 1e-7) << "logits 1 and 0";
}

}  // namespace
}  // namespace plainformer

#endif
