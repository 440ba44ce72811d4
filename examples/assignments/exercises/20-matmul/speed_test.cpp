// Steps of the ladder against three plain loops in the same run, by the processor time of this thread: other
// programs on the machine hardly matter. Each is timed several times in turn, and its fastest time counts.
// The limits leave room for a compiler that makes the plain loops faster, and for a neighbor on the same core:
// with GCC and Clang on a Xeon, the repository's answers are 7 and 5, and 24 and 21 times as fast as the loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

#include "core/random.h"
#include "ops/fast/matmul_ladder.h"
#include "system.h"
#include "vector_tile.h"

namespace plainformer::course {
namespace {

// A size is one to four more than a multiple of 64: an answer must treat the columns left over, but spends little time
// on them. At a multiple itself the plain loops would be slow, because a column of b would lie in few sets of the cache.
constexpr Index kWholeColumns = 64, kLeastBlocks = 5, kBlockCounts = 2, kMostColumnsMore = 4;
constexpr int kRepetitions = 10;

using Multiply = void (*)(Index n, const Real* a, const Real* b, Real* c);

void three_loops(Index n, const Real* a, const Real* b, Real* c) {
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      Real sum = 0;
      for (Index p = 0; p < n; ++p) sum += a[i * n + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
}

Index random_size(Random& random) {
  return (kLeastBlocks + random.below(kBlockCounts)) * kWholeColumns + 1 + random.below(kMostColumnsMore);
}

// Other ones in each run, so that nothing can be known beforehand. Small whole numbers: every order of the additions
// gives the same sums.
struct Factors {
  Index n;
  std::vector<Real> a, b;

  explicit Factors(Random random) : n(random_size(random)), a(n * n), b(n * n) {
    for (std::vector<Real>* const factor : {&a, &b})
      for (Real& number : *factor) number = static_cast<Real>(random.below(9)) - 4;
  }
};

Factors random_factors() {
  std::random_device device;
  return Factors(Random(random_stream(device(), device(), 0)));
}

double time_of(Multiply multiply, const Factors& factors, std::vector<Real>& c) {
  const double start = processor_time();
  multiply(factors.n, factors.a.data(), factors.b.data(), c.data());
  return processor_time() - start;
}

// How many times as fast as three loops.
double speed_of(Multiply multiply) {
  const Factors factors = random_factors();
  std::vector<Real> c(factors.a.size()), expected(factors.a.size());
  double plain = std::numeric_limits<double>::infinity(), fast = plain;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    plain = std::min(plain, time_of(three_loops, factors, expected));
    std::fill(c.begin(), c.end(), Real{77});
    fast = std::min(fast, time_of(multiply, factors, c));
    EXPECT_EQ(c, expected) << "a wrong product has no speed";
  }
  std::printf("%.1f times as fast as three loops, n = %d\n", plain / fast, static_cast<int>(factors.n));
  return plain / fast;
}

TEST(MatmulSpeed, LocalSumsAreThreeTimesAsFastAsThreeLoops) {
  EXPECT_GT(speed_of(multiply_with_local_sums), 3);
}

TEST(MatmulSpeed, VectorTilesAreTenTimesAsFastAsThreeLoops) {
  use_kernels(tile_kernels().name);
  EXPECT_GT(speed_of(multiply_simd), 10);
}

// Where the sums of all rows of a tile stay in registers. With those of one row at a time it is 8 times.
TEST(MatmulSpeed, VectorTilesAreFifteenTimesAsFastAsThreeLoops) {
  use_kernels(tile_kernels().name);
  EXPECT_GT(speed_of(multiply_simd), 15);
}

}  // namespace
}  // namespace plainformer::course
