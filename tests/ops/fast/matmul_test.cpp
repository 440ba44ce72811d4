// Products against the three plain loops, in all transposed forms, for sizes around every tile's edges; and
// the promise that an element's bits depend on its row and its column alone.
#include "ops/fast/matmul.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/random.h"
#include "core/thread_pool.h"
#include "support/matmul.h"
#include "system/system.h"

namespace plainformer {
namespace {

constexpr double kEpsilon = std::numeric_limits<Real>::epsilon();
constexpr Real kUntouched = 77;
constexpr Transpose kBoth[] = {Transpose::kNo, Transpose::kYes};

// op(matrix), as plain [rows][cols] values, and as it is stored: transposed or not, in wider rows than
// needed.
struct Factor {
  Factor(Index op_rows, Index op_cols, std::uint32_t seed)
      : rows(op_rows), cols(op_cols), values(std::size_t(op_rows * op_cols), 0) {
    Random random(random_stream(seed, 0, 0));
    for (Real& value : values) value = static_cast<Real>(4 * random.uniform() - 2);
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

// The plain product, and for each element the sum of the magnitudes of what is added up.
struct PlainProduct {
  std::vector<double> values, magnitudes;
};

PlainProduct multiply_plain(const Factor& a, const Factor& b) {
  PlainProduct c;
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j < b.cols; ++j) {
      double sum = 0, magnitude = 0;
      for (Index p = 0; p < a.cols; ++p) {
        const double product = double(a.at(i, p)) * double(b.at(p, j));
        sum += product;
        magnitude += std::abs(product);
      }
      c.values.push_back(sum);
      c.magnitudes.push_back(magnitude);
    }
  return c;
}

// A chain of k roundings errs by about sqrt(k) of them.
double tolerance(double magnitude, Index k) {
  return kEpsilon * magnitude * (2 + std::sqrt(double(k)));
}

class Matmul : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { use_kernels(GetParam()); }
  void TearDown() override {
    use_kernels(kernels_before_);
    set_threads(default_threads());
  }

 private:
  const std::string kernels_before_ = kernels().name;
};

INSTANTIATE_TEST_SUITE_P(Tables, Matmul, testing::ValuesIn(supported_kernels()),
                         [](const auto& instance) { return instance.param; });

// The product, or its sum with what was there, of factors stored in all orders.
void expect_product(Index m, Index n, Index k, bool accumulate) {
  Factor a(m, k, 1), b(k, n, 2), before(m, n, 3);
  const PlainProduct expected = multiply_plain(a, b);
  const Index row_stride = n + 5;
  std::vector<Real> start(std::size_t(m * row_stride + 1), kUntouched);
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < n; ++j) start[std::size_t(i * row_stride + j)] = before.at(i, j);

  for (Transpose transpose_a : kBoth)
    for (Transpose transpose_b : kBoth) {
      const MatrixView a_view = a.stored(transpose_a), b_view = b.stored(transpose_b);
      std::vector<Real> c = start;
      multiply(a_view, transpose_a, b_view, transpose_b, c.data(), row_stride, accumulate);
      for (Index i = 0; i < m; ++i) {
        for (Index j = 0; j < n; ++j) {
          const double was_there = accumulate ? double(before.at(i, j)) : 0;
          const std::size_t at = std::size_t(i * n + j);
          ASSERT_NEAR(double(c[std::size_t(i * row_stride + j)]), was_there + expected.values[at],
                      tolerance(std::abs(was_there) + expected.magnitudes[at], k))
              << "c[" << i << "][" << j << "] of " << m << " x " << n << " x " << k;
        }
        for (Index j = n; j < row_stride; ++j)
          ASSERT_EQ(c[std::size_t(i * row_stride + j)], kUntouched) << "written beyond row " << i;
      }
    }
}

TEST_P(Matmul, MultipliesByHand) {
  const Tensor a = Tensor::from({2, 3}, {1, 2, 3, 4, 5, 6}), b = Tensor::from({3, 2}, {7, 8, 9, 10, 11, 12});
  const Tensor c = matmul(a, Transpose::kNo, b, Transpose::kNo);
  EXPECT_EQ(c.to_string(), Tensor::from({2, 2}, {58, 64, 139, 154}).to_string());
}

TEST_P(Matmul, EqualsThePlainLoopsForAllSizesAroundATile) {
  const Index m_sizes[] = {1, 2, 5, 6, 7, 13, 14, 15, 29}, n_sizes[] = {1, 7, 8, 15, 16, 17, 31, 32, 33, 65};
  for (Index m : m_sizes)
    for (Index n : n_sizes)
      for (Index k : {1, 2, 3, 5, 17, 64}) expect_product(m, n, k, (m + n + k) % 2 == 0);
}

TEST_P(Matmul, EqualsThePlainLoopsForAllRowsAndColumnsOfATile) {
  const Kernels& kernel_set = kernels();
  for (Index m = 1; m <= kernel_set.tile_rows + 1; ++m)
    for (Index n = 1; n <= kernel_set.tile_cols + 1; ++n) expect_product(m, n, 3, false);
}

TEST_P(Matmul, EqualsThePlainLoopsForASingleRow) {
  const Index wide = kernels().row_tile_cols;
  for (Index n : {wide - 1, wide, wide + 1, 3 * wide + kernels().tile_cols + 1})
    for (Index k : {1, 3, 64})
      for (bool accumulate : {false, true}) expect_product(1, n, k, accumulate);
}

TEST_P(Matmul, EqualsThePlainLoopsAcrossBlocks) {
  expect_product(131, 77, 1037, false);
  expect_product(601, 35, 67, true);
  expect_product(3, 1111, 259, true);
  expect_product(64, 64, 64, false);
}

TEST_P(Matmul, AnEmptySumIsZeroOrWhatWasThere) {
  expect_product(3, 5, 0, false);
  expect_product(3, 5, 0, true);
  expect_product(0, 5, 3, false);
  expect_product(5, 0, 3, false);
}

TEST_P(Matmul, AnEmptySumStillGetsItsBias) {
  const std::vector<Real> bias = {1, -2, 3};
  std::vector<Real> c(6, kUntouched);
  multiply({nullptr, 2, 0, 0}, Transpose::kNo, {nullptr, 0, 3, 3}, Transpose::kNo, c.data(), 3, false,
           bias.data());
  EXPECT_EQ(c, (std::vector<Real>{1, -2, 3, 1, -2, 3}));
}

// --- the same bits, wherever ---

std::vector<Real> product(MatrixView a, Transpose transpose_a, MatrixView b, Transpose transpose_b, Index m,
                          Index n) {
  std::vector<Real> c(std::size_t(m * n), kUntouched);
  multiply(a, transpose_a, b, transpose_b, c.data(), n, false);
  return c;
}

TEST_P(Matmul, AnElementsBitsDependOnItsRowAndColumnOnly) {
  const Index m = 117, n = 99, k = 777;
  Factor a(m, k, 4), b(k, n, 5);
  const MatrixView a_plain = a.stored(Transpose::kNo);
  const std::vector<Real> whole =
      product(a_plain, Transpose::kNo, b.stored(Transpose::kNo), Transpose::kNo, m, n);

  for (Transpose transpose_a : kBoth)
    for (Transpose transpose_b : kBoth)
      EXPECT_EQ(product(a.stored(transpose_a), transpose_a, b.stored(transpose_b), transpose_b, m, n), whole)
          << "another storage order";

  // Blocks of rows and columns that start anywhere, down to a single row times a single column.
  struct Block {
    Index row, rows, col, cols;
  };
  for (const Block& block : {Block{0, 1, 0, n}, Block{50, 1, 98, 1}, Block{3, 2, 5, 40},
                             Block{100, 17, 31, 33}, Block{13, 90, 66, 33}, Block{116, 1, 0, 1}}) {
    Factor rows(block.rows, k, 0), cols(k, block.cols, 0);
    for (Index p = 0; p < k; ++p) {
      for (Index i = 0; i < block.rows; ++i) rows.at(i, p) = a.at(block.row + i, p);
      for (Index j = 0; j < block.cols; ++j) cols.at(p, j) = b.at(p, block.col + j);
    }
    for (Transpose transpose_a : kBoth)
      for (Transpose transpose_b : kBoth) {
        const std::vector<Real> part = product(rows.stored(transpose_a), transpose_a,
                                               cols.stored(transpose_b), transpose_b, block.rows, block.cols);
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
  for (const Size& size : {Size{257, 130, 300}, Size{5, 700, 1301}, Size{700, 9, 1128}, Size{64, 64, 1000}}) {
    Factor a(size.m, size.k, 6), b(size.k, size.n, 7);
    for (Transpose transpose_a : kBoth)
      for (Transpose transpose_b : kBoth) {
        const MatrixView a_view = a.stored(transpose_a), b_view = b.stored(transpose_b);
        set_threads(1);
        const std::vector<Real> one = product(a_view, transpose_a, b_view, transpose_b, size.m, size.n);
        for (int count : {2, 3, 7}) {
          set_threads(count);
          EXPECT_EQ(product(a_view, transpose_a, b_view, transpose_b, size.m, size.n), one)
              << count << " threads";
        }
      }
  }
}

// --- bias ---

TEST_P(Matmul, AddsTheBiasToEveryRow) {
  for (Index k : {2, 900})
    for (bool has_bias : {false, true}) {
      const Index m = 31, n = 45;
      Factor a(m, k, 8), b(k, n, 9), bias(1, n, 10);
      std::vector<Real> c(std::size_t(m * n), kUntouched);
      const MatrixView a_view = a.stored(Transpose::kNo), b_view = b.stored(Transpose::kYes);
      multiply(a_view, Transpose::kNo, b_view, Transpose::kYes, c.data(), n, false,
               has_bias ? bias.values.data() : nullptr);
      const PlainProduct plain = multiply_plain(a, b);
      for (std::size_t at = 0; at < c.size(); ++at) {
        double expected = plain.values[at];
        if (has_bias) expected += double(bias.values[at % std::size_t(n)]);
        ASSERT_NEAR(double(c[at]), expected, tolerance(plain.magnitudes[at] + 2, k)) << has_bias;
      }
    }
}

TEST_P(Matmul, NaNAndInfinityReachTheirRowAndColumnAndNoOther) {
  const Index m = 33, n = 35, k = 20;
  for (Real special : {std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::infinity()})
    for (Transpose transpose_a : kBoth)
      for (Transpose transpose_b : kBoth) {
        Factor a(m, k, 15), b(k, n, 16);
        a.at(20, 3) = special;
        b.at(3, 34) = special;
        std::vector<Real> c(std::size_t(m * n), kUntouched);
        const MatrixView a_view = a.stored(transpose_a), b_view = b.stored(transpose_b);
        multiply(a_view, transpose_a, b_view, transpose_b, c.data(), n, false);
        for (Index i = 0; i < m; ++i)
          for (Index j = 0; j < n; ++j)
            ASSERT_EQ(std::isfinite(c[std::size_t(i * n + j)]), i != 20 && j != 34) << i << ", " << j;
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
            MatrixView a_view = a.stored(transpose_a, 0), b_view = b.stored(transpose_b, 0);
            const std::vector<Real> expected = product(a_view, transpose_a, b_view, transpose_b, m, n);
            const AtTheEdge a_edge(a.storage), b_edge(b.storage),
                c_edge(std::vector<Real>(std::size_t(m * n), 1));
            a_view.data = a_edge.data();
            b_view.data = b_edge.data();
            multiply(a_view, transpose_a, b_view, transpose_b, c_edge.data(), n, false);
            ASSERT_TRUE(std::equal(expected.begin(), expected.end(), c_edge.data()));
          }
}

}  // namespace
}  // namespace plainformer
