// The micro-kernel of AVX2 or NEON against plain loops, on small whole numbers, so that all sums are exact.
#include "vector_tile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/random.h"
#include "system.h"

namespace plainformer::course {
namespace {

constexpr Real kUntouched = 77;

std::vector<Real> whole_numbers(Index count, std::uint64_t seed) {
  Random random(random_stream(seed, 0, 0));
  std::vector<Real> numbers(static_cast<std::size_t>(count));
  for (Real& number : numbers) number = static_cast<Real>(random.below(9)) - 4;
  return numbers;
}

struct Extents {
  Index rows, cols, depth;
};

// A tile of c within wider rows, from a whose rows or columns lie in memory one after the other.
void expect_product(const Extents& extents, bool a_by_rows, bool accumulate, bool has_bias) {
  const auto [rows, cols, depth] = extents;
  const Index a_row_stride = a_by_rows ? depth + 2 : 1, a_depth_stride = a_by_rows ? 1 : rows + 3;
  const Index b_row_stride = cols + 4, c_row_stride = cols + 5;
  const std::vector<Real> a = whole_numbers((rows + 3) * (depth + 2), 1),
                          b = whole_numbers(depth * b_row_stride, 2);
  const std::vector<Real> bias = whole_numbers(cols, 3);
  std::vector<Real> c(static_cast<std::size_t>(rows * c_row_stride), kUntouched);

  tile_kernels().micro_kernel({.rows = rows,
                               .cols = cols,
                               .depth = depth,
                               .a = a.data(),
                               .a_row_stride = a_row_stride,
                               .a_depth_stride = a_depth_stride,
                               .b = b.data(),
                               .b_row_stride = b_row_stride,
                               .c = c.data(),
                               .c_row_stride = c_row_stride,
                               .accumulate = accumulate,
                               .bias = has_bias ? bias.data() : nullptr});

  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < c_row_stride; ++j) {
      Real expected = accumulate || j >= cols ? kUntouched : 0;
      if (j < cols) {
        for (Index p = 0; p < depth; ++p)
          expected += a[i * a_row_stride + p * a_depth_stride] * b[p * b_row_stride + j];
        if (has_bias) expected += bias[j];
      }
      ASSERT_EQ(c[i * c_row_stride + j], expected)
          << (j < cols ? "" : "written beyond the tile: ") << "c[" << i << "][" << j << "] of a tile of "
          << rows << " rows, " << cols << " columns and depth " << depth
          << (a_by_rows ? "" : ", a transposed");
    }
}

TEST(VectorTile, MultipliesForAnyRowsAndColumns) {
  const Kernels& set = tile_kernels();
  for (const bool a_by_rows : {true, false}) {
    for (Index rows = 1; rows <= set.tile_rows; ++rows)
      for (Index cols = 1; cols <= set.tile_cols; ++cols)
        for (const Index depth : {1, 2, 7}) expect_product({rows, cols, depth}, a_by_rows, false, false);
    expect_product({1, set.row_tile_cols, 7}, a_by_rows, false, false);
  }
}

TEST(VectorTile, StartsFromZeroOrFromWhatIsThereAndAddsTheBias) {
  const Kernels& set = tile_kernels();
  for (const bool accumulate : {false, true})
    for (const bool has_bias : {false, true})
      for (const Index cols : {set.tile_cols, set.tile_cols - 1, Index{2}})
        for (const Index depth : {0, 5})
          expect_product({set.tile_rows, cols, depth}, true, accumulate, has_bias);
}

// Numbers whose last one ends where readable memory ends.
class AtTheEdge {
 public:
  explicit AtTheEdge(Index count) : memory_(static_cast<std::size_t>(count) * sizeof(Real)) {
    std::fill_n(data(), count, Real{1});
  }
  Real* data() const { return static_cast<Real*>(memory_.data()); }

 private:
  const GuardedBytes memory_;
};

TEST(VectorTile, ReadsNothingBeyondItsFactors) {
  const Kernels& set = tile_kernels();
  const Index depth = 3;
  for (Index rows = 1; rows <= set.tile_rows; ++rows)
    for (Index cols = 1; cols <= set.tile_cols; ++cols) {
      const AtTheEdge a(rows * depth), b(depth * cols), c(rows * cols), bias(cols);
      set.micro_kernel({.rows = rows,
                        .cols = cols,
                        .depth = depth,
                        .a = a.data(),
                        .a_row_stride = depth,
                        .a_depth_stride = 1,
                        .b = b.data(),
                        .b_row_stride = cols,
                        .c = c.data(),
                        .c_row_stride = cols,
                        .accumulate = true,
                        .bias = bias.data()});
      for (Index at = 0; at < rows * cols; ++at) ASSERT_EQ(c.data()[at], 5) << rows << " x " << cols;
    }
}

}  // namespace
}  // namespace plainformer::course
