// Steps of the ladder against three plain loops in the same run, by the processor time of this thread: other
// programs on the machine hardly matter. Each is timed several times in turn, and its fastest time counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "ops/fast/matmul_ladder.h"
#include "system.h"
#include "vector_tile.h"

namespace plainformer::course {
namespace {

constexpr Index kSize = 384;
constexpr int kRepetitions = 5;

using Multiply = void (*)(Index n, const Real* a, const Real* b, Real* c);

void three_loops(Index n, const Real* a, const Real* b, Real* c) {
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      Real sum = 0;
      for (Index p = 0; p < n; ++p) sum += a[i * n + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
}

double time_of(Multiply multiply, const std::vector<Real>& a, const std::vector<Real>& b,
               std::vector<Real>& c) {
  const double start = processor_time();
  multiply(kSize, a.data(), b.data(), c.data());
  return processor_time() - start;
}

// How many times as fast as three loops.
double speed_of(Multiply multiply) {
  const std::vector<Real> a(kSize * kSize, Real{0.5}), b(kSize * kSize, Real{2});
  std::vector<Real> c(kSize * kSize), expected(kSize * kSize);
  double plain = std::numeric_limits<double>::infinity(), fast = plain;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    plain = std::min(plain, time_of(three_loops, a, b, expected));
    fast = std::min(fast, time_of(multiply, a, b, c));
  }
  EXPECT_EQ(c, expected) << "a wrong product has no speed";

  return plain / fast;
}

TEST(MatmulSpeed, LocalSumsAreFourTimesAsFastAsThreeLoops) {
  EXPECT_GT(speed_of(multiply_with_local_sums), 4);
}

TEST(MatmulSpeed, VectorTilesAreTenTimesAsFastAsThreeLoops) {
  use_kernels(tile_kernels().name);
  EXPECT_GT(speed_of(multiply_simd), 10);
}

}  // namespace
}  // namespace plainformer::course
