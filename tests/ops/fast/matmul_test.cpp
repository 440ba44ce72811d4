// Products in float and in bfloat16, in all transposed forms, for sizes around every tile's edges, against
// their definition; and the promise that an element's bits depend on its row and its column alone.
#include "ops/fast/matmul.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "core/random.h"
#include "core/thread_pool.h"
#include "kernels/bf16.h"
#include "ops/cross_entropy.h"
#include "ops/linear.h"
#include "ops/ways.h"
#include "support/tensors.h"
#include "system/system.h"

namespace plainformer {
namespace {

// sum + the products of two rows of floats in bfloat16, one element at a time (kernels/bf16.h).
float bf16_sum(const std::vector<float>& a, const std::vector<float>& b, float sum) {
  const auto add = [&](std::size_t p) {
    if (p < a.size()) sum = std::fma(from_bf16(to_bf16(Real{a[p]})), from_bf16(to_bf16(Real{b[p]})), sum);
  };
  for (std::size_t p = 0; p < a.size(); p += 2) {
    add(p + 1);
    add(p);
  }
  return sum;
}

constexpr Real kUntouched = 77;
constexpr Transpose kBoth[] = {Transpose::kNo, Transpose::kYes};

// op(matrix), as plain [rows][cols] values, and as it is stored: transposed or not, in wider rows than
// needed.
struct Factor {
  Factor(Index op_rows, Index op_cols, std::uint32_t seed)
      : rows(op_rows), cols(op_cols), values(std::size_t(op_rows * op_cols), 0) {
    Random random(random_stream(seed, 0, 0));
    for (Real& value : values) value = static_cast<Real>(random.normal());
  }

  Real& at(Index i, Index j) { return values[std::size_t(i * cols + j)]; }
  Real at(Index i, Index j) const { return values[std::size_t(i * cols + j)]; }

  MatrixView stored(Transpose transpose, Index padding = 3) {
    const bool plain = transpose == Transpose::kNo;
    const Index stored_rows = plain ? rows : cols, stored_cols = plain ? cols : rows;
    const Index row_stride = stored_cols + padding;
    storage.assign(std::size_t(stored_rows * row_stride), std::numeric_limits<Real>::quiet_NaN());
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j)
        storage[std::size_t(plain ? i * row_stride + j : j * row_stride + i)] = at(i, j);
    return {storage.data(), stored_rows, stored_cols, row_stride};
  }

  Index rows, cols;
  std::vector<Real> values, storage;
};

// One element by its definition. In bfloat16 the definition fixes every bit. In float a chain of k roundings
// errs by about sqrt(k) of them.
struct Element {
  double value, tolerance;
};

Element element(const Factor& a, const Factor& b, Index i, Index j, Real was_there) {
  const Index k = a.cols;
  if (product_precision == Precision::kBf16) {
    std::vector<float> row, column;
    for (Index p = 0; p < k; ++p) {
      row.push_back(static_cast<float>(a.at(i, p)));
      column.push_back(static_cast<float>(b.at(p, j)));
    }
    return {double(bf16_sum(row, column, static_cast<float>(was_there))), 0};
  }
  double sum = double(was_there), magnitude = std::abs(sum);
  for (Index p = 0; p < k; ++p) {
    const double product = double(a.at(i, p)) * double(b.at(p, j));
    sum += product;
    magnitude += std::abs(product);
  }
  return {sum, double(std::numeric_limits<Real>::epsilon()) * magnitude * (2 + std::sqrt(double(k)))};
}

std::vector<Precision> precisions() {
#ifdef PLAINFORMER_DOUBLE  // it refuses bfloat16
  return {Precision::kFloat};
#else
  return {Precision::kFloat, Precision::kBf16};
#endif
}

class Matmul : public testing::TestWithParam<std::tuple<std::string, Precision>> {
 protected:
  void SetUp() override { use_kernels(std::get<0>(GetParam())); }
  void TearDown() override {
    use_kernels(kernels_before_);
    set_threads(default_threads());
  }

 private:
  const PrecisionInScope precision_{std::get<1>(GetParam())};
  const WaysInScope fast_{plain_ways("none", "test")};
  const std::string kernels_before_ = kernels().name;
};

INSTANTIATE_TEST_SUITE_P(
    Tables, Matmul, testing::Combine(testing::ValuesIn(supported_kernels()), testing::ValuesIn(precisions())),
    [](const auto& instance) {
      return std::get<0>(instance.param) + "_" + precision_name(std::get<1>(instance.param));
    });

// The product, or its sum with what was there, of factors stored in all orders.
void expect_product(Index m, Index n, Index k, bool accumulate, bool has_bias) {
  Factor a(m, k, 1), b(k, n, 2), before(m, n, 3), bias(1, n, 4);
  std::vector<Real> start = before.values;
  start.resize(start.size() + 64, kUntouched);  // a fence
  std::vector<Element> expected;
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < n; ++j) {
      Element sum = element(a, b, i, j, accumulate ? before.at(i, j) : 0);
      // The bias is added last. In bfloat16 that sum is rounded once.
      if (has_bias) sum.value = double(static_cast<Real>(sum.value) + bias.at(0, j));
      if (has_bias && sum.tolerance > 0) sum.tolerance *= 4;
      expected.push_back(sum);
    }
  for (Transpose transpose_a : kBoth)
    for (Transpose transpose_b : kBoth) {
      const MatrixView a_view = a.stored(transpose_a), b_view = b.stored(transpose_b);
      std::vector<Real> c = start;
      multiply(a_view, transpose_a, b_view, transpose_b, c.data(), accumulate,
               has_bias ? bias.values.data() : nullptr);
      for (Index i = 0; i < m; ++i) {
        for (Index j = 0; j < n; ++j) {
          const Element& sum = expected[std::size_t(i * n + j)];
          ASSERT_NEAR(double(c[std::size_t(i * n + j)]), sum.value, sum.tolerance)
              << "c[" << i << "][" << j << "] of " << m << " x " << n << " x " << k;
        }
      }
      for (std::size_t i = expected.size(); i < c.size(); ++i) ASSERT_EQ(c[i], kUntouched) << "beyond c";
    }
}

TEST_P(Matmul, FollowsItsDefinitionForAllSizesAroundATile) {
  for (Index m : {1, 2, 5, 6, 7, 14, 15, 29})
    for (Index n : {1, 7, 8, 15, 17, 31, 32, 33, 65})
      for (Index k : {1, 2, 3, 17, 64}) expect_product(m, n, k, (m + n + k) % 2 == 0, m % 2 == 0);
  for (Index m = 1; m <= kernels().tile_rows + 1; ++m)
    for (Index n = 1; n <= kernels().tile_cols + 1; ++n) expect_product(m, n, 3, false, false);
}

TEST_P(Matmul, FollowsItsDefinitionForASingleRow) {
  const Index wide = kernels().row_tile_cols;
  for (Index n : {wide - 1, wide, wide + 1, 3 * wide + kernels().tile_cols + 1})
    for (Index k : {1, 3, 64, 75})
      for (bool accumulate : {false, true}) expect_product(1, n, k, accumulate, accumulate);
}

TEST_P(Matmul, FollowsItsDefinitionAcrossBlocks) {
  expect_product(131, 77, 1037, false, true);  // several blocks of depth
  expect_product(601, 35, 67, true, false);    // and of rows
  expect_product(3, 2051, 67, true, true);     // and of columns
}

TEST_P(Matmul, AnEmptySumIsZeroOrWhatWasThereAndTheBias) {
  for (bool has_bias : {false, true}) {
    expect_product(3, 5, 0, false, has_bias);
    expect_product(3, 5, 0, true, has_bias);
    expect_product(0, 5, 3, false, has_bias);
    expect_product(5, 0, 3, false, has_bias);
  }
}

// --- the same bits, wherever ---

std::vector<Real> product(Factor& a, Transpose transpose_a, Factor& b, Transpose transpose_b) {
  std::vector<Real> c(std::size_t(a.rows * b.cols), kUntouched);
  multiply(a.stored(transpose_a), transpose_a, b.stored(transpose_b), transpose_b, c.data(), false);
  return c;
}

TEST_P(Matmul, AnElementsBitsDependOnItsRowAndColumnOnly) {
  const Index m = 117, n = 99, k = 777;
  Factor a(m, k, 4), b(k, n, 5);
  const std::vector<Real> whole = product(a, Transpose::kNo, b, Transpose::kNo);

  // Blocks of rows and columns that start anywhere, from the whole product down to one element.
  struct Block {
    Index row, rows, col, cols;
  };
  for (const Block& block : {Block{0, m, 0, n}, Block{0, 1, 0, n}, Block{50, 1, 98, 1}, Block{3, 2, 5, 40},
                             Block{100, 17, 31, 33}, Block{13, 90, 66, 33}, Block{116, 1, 0, 1}}) {
    Factor rows(block.rows, k, 0), cols(k, block.cols, 0);
    for (Index p = 0; p < k; ++p) {
      for (Index i = 0; i < block.rows; ++i) rows.at(i, p) = a.at(block.row + i, p);
      for (Index j = 0; j < block.cols; ++j) cols.at(p, j) = b.at(p, block.col + j);
    }
    for (Transpose transpose_a : kBoth)
      for (Transpose transpose_b : kBoth) {
        const std::vector<Real> part = product(rows, transpose_a, cols, transpose_b);
        for (Index i = 0; i < block.rows; ++i)
          for (Index j = 0; j < block.cols; ++j)
            ASSERT_EQ(part[std::size_t(i * block.cols + j)],
                      whole[std::size_t((block.row + i) * n + block.col + j)])
                << "row " << block.row + i << ", column " << block.col + j;
      }
  }
}

TEST_P(Matmul, AnyNumberOfThreadsGivesTheSameBits) {
  struct Size {
    Index m, n, k;
  };
  for (const Size& size : {Size{257, 130, 300}, Size{5, 700, 1301}, Size{700, 9, 1640}, Size{64, 64, 1000}}) {
    Factor a(size.m, size.k, 6), b(size.k, size.n, 7);
    for (Transpose transpose_a : kBoth)
      for (Transpose transpose_b : kBoth) {
        set_threads(1);
        const std::vector<Real> one = product(a, transpose_a, b, transpose_b);
        for (int count : {2, 3, 7}) {
          set_threads(count);
          EXPECT_EQ(product(a, transpose_a, b, transpose_b), one) << count << " threads";
        }
      }
  }
}

TEST_P(Matmul, NaNAndInfinityReachTheirRowAndColumnAndNoOther) {
  for (Real special : {std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::infinity()})
    for (Transpose transpose_a : kBoth)
      for (Transpose transpose_b : kBoth) {
        Factor a(33, 20, 15), b(20, 35, 16);
        a.at(20, 3) = b.at(3, 34) = special;
        const std::vector<Real> c = product(a, transpose_a, b, transpose_b);
        for (Index i = 0; i < a.rows; ++i)
          for (Index j = 0; j < b.cols; ++j)
            ASSERT_EQ(std::isfinite(c[std::size_t(i * b.cols + j)]), i != 20 && j != 34) << i << ", " << j;
      }
}

// Values whose last one ends where readable memory ends.
class AtTheEdge {
 public:
  explicit AtTheEdge(const std::vector<Real>& values) : memory_(values.size() * sizeof(Real)) {
    std::copy(values.begin(), values.end(), data());
  }
  Real* data() const { return static_cast<Real*>(memory_.data()); }

 private:
  const GuardedMemory memory_;
};

TEST_P(Matmul, ReadsNothingBeyondItsFactors) {
  for (Index m : {1, 5, 15, 70})
    for (Index n : {1, 9, 21, 40})
      for (Index k : {1, 6, 35})
        for (Transpose transpose_a : kBoth)
          for (Transpose transpose_b : kBoth) {
            Factor a(m, k, 17), b(k, n, 18);
            const std::vector<Real> expected = product(a, transpose_a, b, transpose_b);
            MatrixView a_view = a.stored(transpose_a, 0), b_view = b.stored(transpose_b, 0);
            const AtTheEdge a_edge(a.storage), b_edge(b.storage), c_edge(expected);
            std::fill_n(c_edge.data(), expected.size(), kUntouched);
            a_view.data = a_edge.data();
            b_view.data = b_edge.data();
            multiply(a_view, transpose_a, b_view, transpose_b, c_edge.data(), false);
            ASSERT_TRUE(std::equal(expected.begin(), expected.end(), c_edge.data()));
          }
}

// --- a right factor packed once ---

// Sizes around those of the tiles and of the blocks of depth and columns, and some that several threads
// share.
TEST_P(Matmul, APreparedMatrixHasTheBitsOfTheMatrixItWasMadeOf) {
  for (const Index k : {1, 7, 513, 1100})
    for (const Index n : {1, 31, 33, 700}) {
      Parameter w(random_tensor({k, n}, 2));
      const Parameter transposed(random_tensor({n, k}, 3)), b(random_tensor({n}, 4));
      const PreparedMatrix prepared(w.value, Transpose::kNo);
      const PreparedMatrix prepared_transposed(transposed.value, Transpose::kYes);
      for (const Index m : {1, 5, 33, 130}) {
        const Tensor x = random_tensor({1, m, k}, 1);
        ASSERT_TRUE(same_bits(prepared.product(x), linear_forward(x, w)));
        ASSERT_TRUE(same_bits(prepared.product(x, b.value.data()), linear_bias_forward(x, w, b)));
        ASSERT_TRUE(same_bits(prepared_transposed.product(x), linear_transposed_forward(x, transposed)))
            << m << " x " << n << " x " << k;
      }
      const Tensor x = random_tensor({1, 1, k}, 5), before = prepared.product(x);
      w.value.mutable_data()[0] += 1;
      EXPECT_TRUE(same_bits(prepared.product(x), before)) << "it is a copy";
    }
}

TEST_P(Matmul, APreparedMatrixChecksTheOtherFactorsAndTheKernels) {
  EXPECT_THROW(PreparedMatrix(random_tensor({1, 2, 3}, 1), Transpose::kNo), std::logic_error);
  const PreparedMatrix prepared(random_tensor({2, 3}, 1), Transpose::kYes);
  EXPECT_THROW(prepared.product(random_tensor({1, 2}, 2)), std::logic_error);
  EXPECT_NO_THROW(prepared.product(random_tensor({1, 3}, 2)));
  for (const std::string& name : supported_kernels()) {
    if (name == std::get<0>(GetParam())) continue;
    use_kernels(name);
    EXPECT_THROW(prepared.product(random_tensor({1, 3}, 2)), std::logic_error);
  }
}

#ifndef PLAINFORMER_DOUBLE

// Each factor, 1 + 2^-8, becomes 1: forward, in both gradients, and in the loss.
TEST(Bf16Matmul, LinearAndTheLossRoundTheFactorsOfAllTheirProducts) {
  const PrecisionInScope bf16(Precision::kBf16);
  const WaysInScope fast(plain_ways("none", "test"));
  const float between = 1 + 0x1p-8f;
  const Tensor x = tensor({1, 1}, {between}), grad_y = tensor({1, 1}, {between});
  Parameter w(tensor({1, 1}, {between}));
  EXPECT_EQ(linear_forward(x, w).data()[0], 1);
  EXPECT_EQ(linear_backward(grad_y, x, w).data()[0], 1);
  EXPECT_EQ(w.grad.data()[0], 1);
  EXPECT_EQ(w.value.data()[0], between) << "the weight of record is not rounded";

  const Parameter table(tensor({2, 1}, {between, 0}));
  const int targets[] = {0};
  const CrossEntropy loss = projected_cross_entropy_forward(x, table, targets, 0);
  EXPECT_NEAR(loss.loss, std::log1p(std::exp(-1.0)), 1e-7) << "logits 1 and 0";

  const PrecisionInScope in_float(Precision::kFloat);
  EXPECT_EQ(linear_forward(x, w).data()[0], between * between);
}

#endif

}  // namespace
}  // namespace plainformer
