// Every step of the ladder is the same matrix product.
#include "ops/fast/matmul_ladder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/random.h"
#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/fast/matmul.h"

namespace plainformer {
namespace {

std::vector<Real> random_matrix(Index n, std::uint64_t seed) {
  Random random(random_stream(seed, 0, 0));
  std::vector<Real> matrix(n * n);
  for (Real& x : matrix) x = static_cast<Real>(random.normal());
  return matrix;
}

std::vector<Real> product_with(const std::string& name, Index n, const std::vector<Real>& a,
                               const std::vector<Real>& b) {
  const std::string before = kernels().name;
  use_kernels(name);
  std::vector<Real> c(n * n);
  multiply({a.data(), n, n, n}, Transpose::kNo, {b.data(), n, n, n}, Transpose::kNo, c.data(), n, false);
  use_kernels(before);
  return c;
}

TEST(MatmulLadder, EachStepMultiplies) {
  const std::vector<Real> a = {1, 2, 3, 4}, b = {5, 6, 7, 8};
  for (const MatmulStep& step : kMatmulLadder) {
    std::vector<Real> c(4, Real{-1});
    step.multiply(2, a.data(), b.data(), c.data());
    EXPECT_EQ(c, (std::vector<Real>{19, 22, 43, 50})) << step.name;
  }
}

// Bit for bit: the plain steps with the scalar kernels, the others with the kernels in use. 301 is more than
// a block and no multiple of a tile.
TEST(MatmulLadder, EachStepHasTheBitsOfMultiply) {
  for (const Index n : {1, 7, 61, 301}) {
    const std::vector<Real> a = random_matrix(n, 1), b = random_matrix(n, 2);
    const std::vector<Real> plain = product_with("scalar", n, a, b);
    const std::vector<Real> fast = product_with(kernels().name, n, a, b);
    for (std::size_t i = 0; i < kMatmulLadder.size(); ++i) {
      std::vector<Real> c(n * n, Real{-1});
      kMatmulLadder[i].multiply(n, a.data(), b.data(), c.data());
      EXPECT_EQ(c, i < 3 ? plain : fast) << kMatmulLadder[i].name << ", n " << n;
    }
  }
}

TEST(MatmulLadder, TheNumberOfThreadsChangesNoBit) {
  const Index n = 61;
  const std::vector<Real> a = random_matrix(n, 1), b = random_matrix(n, 2);
  std::vector<Real> one(n * n), many(n * n);
  multiply_simd(n, a.data(), b.data(), one.data());
  for (const int count : {1, 2, 3, 64}) {
    set_threads(count);
    multiply_threaded(n, a.data(), b.data(), many.data());
    EXPECT_EQ(one, many) << count;
  }
  set_threads(default_threads());
}

}  // namespace
}  // namespace plainformer
