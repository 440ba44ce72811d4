#include "driver.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "core/random.h"
#include "core/thread_pool.h"
#include "core/writable_tensor.h"
#include "kernels/kernels.h"
#include "ops/fast/matmul_ladder.h"

namespace plainformer::course {
namespace {

using Multiply = void (*)(Index n, const Real* a, const Real* b, Real* c);

// The kernels whose tile the exercise is about: those of the processor at hand.
const Kernels& tile_kernels() {
  for (const std::string& name : supported_kernels())
    if (name == "avx2" || name == "neon") return find_kernels(name);
  throw input_error("exercise 20", "this processor has neither AVX2 nor NEON",
                    "check it on another machine: any x86-64 since 2013, or any 64-bit ARM");
}

constexpr Real kUntouched = 77;
constexpr Index kFence = 512;

// Small whole numbers: every order of the additions gives the same sums. Zeros follow, so that code which
// reads too far finds the same in every run.
std::vector<Real> whole_numbers(Index count, unsigned seed) {
  const Tensor random = random_input({count}, seed);
  std::vector<Real> numbers(random.data(), random.data() + count);
  for (Real& number : numbers) number = static_cast<Real>(static_cast<int>(3 * number));
  numbers.resize(2 * count + kFence);
  return numbers;
}

// Sums of c's rows and of its columns, by their numbers: large matrices in few numbers.
void show_sums(const char* name, Index n, const std::vector<Real>& c) {
  double sum = 0, by_row = 0, by_column = 0;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      sum += c[i * n + j];
      by_row += static_cast<double>(i) * c[i * n + j];
      by_column += static_cast<double>(j * j) * c[i * n + j];
    }
  const double numbers[] = {sum, by_row, by_column};
  show(name, numbers);
}

void show_step(const MatmulStep& step, Index n) {
  const std::vector<Real> a = whole_numbers(n * n, 1), b = whole_numbers(n * n, 2);
  std::vector<Real> c(n * n, kUntouched);
  step.multiply(n, a.data(), b.data(), c.data());
  show_sums(step.name, n, c);
}

void show_all() {
  set_threads(3);
  use_kernels(tile_kernels().name);
  show_step(kMatmulLadder[1], 61);
  show_step(kMatmulLadder[2], 131);
  show_step(kMatmulLadder[3], 300);
  show_step(kMatmulLadder[4], 131);
}

// --- speed: steps of the ladder against three plain loops in the same run, by the processor time of this
// thread, so that other programs on the machine hardly matter. Each is timed several times in turn, and its
// fastest time counts. The limits leave room for a compiler that makes the plain loops faster, and for a
// neighbor on the same core: with GCC and Clang on a Xeon, the repository's answers are 7 and 5, and 24 and
// 21 times as fast as the loops.

#ifdef COURSE_ORACLE

void show_speed(const char* name, Multiply /*multiply*/, double /*least*/) {
  show_text(name, "fast enough");
}

#else

constexpr int kRepetitions = 10;

void three_loops(Index n, const Real* a, const Real* b, Real* c) {
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      Real sum = 0;
      for (Index p = 0; p < n; ++p) sum += a[i * n + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
}

struct Factors {
  Index n;
  std::vector<Real> a, b;
};

// Other ones in each run, so that nothing can be known beforehand. Small whole numbers: every order of the
// additions gives the same sums.
Factors random_factors() {
  std::random_device device;
  Random random(random_stream(device(), device(), 0));
  // One to four more than a multiple of 64: an answer must treat the columns left over, but spends little
  // time on them. At a multiple itself the plain loops would be slow, because a column of b would lie in few
  // sets of the cache.
  const Index n = 64 * (5 + random.below(2)) + 1 + random.below(4);
  Factors factors = {.n = n, .a = std::vector<Real>(n * n), .b = std::vector<Real>(n * n)};
  for (std::vector<Real>* const factor : {&factors.a, &factors.b})
    for (Real& number : *factor) number = static_cast<Real>(random.below(9)) - 4;
  return factors;
}

double time_of(Multiply multiply, const Factors& factors, std::vector<Real>& c) {
  const double start = processor_time();
  multiply(factors.n, factors.a.data(), factors.b.data(), c.data());
  return processor_time() - start;
}

// A step that multiplies wrongly has no speed.
void show_speed(const char* name, Multiply multiply, double least) {
  const Factors factors = random_factors();
  std::vector<Real> c(factors.a.size()), expected(factors.a.size());
  double plain = std::numeric_limits<double>::infinity(), fast = plain;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    plain = std::min(plain, time_of(three_loops, factors, expected));
    std::fill(c.begin(), c.end(), kUntouched);
    fast = std::min(fast, time_of(multiply, factors, c));
    if (c != expected) return show_text(name, "a wrong product");
  }
  char speed[80];
  std::snprintf(speed, sizeof speed, "%.1f times as fast as three loops, n = %d", plain / fast,
                static_cast<int>(factors.n));
  show_text(name, plain / fast > least ? "fast enough" : speed);
}

#endif

void show_speed_of_local_sums() {
  show_speed("three times as fast as three loops", multiply_with_local_sums, 3);
}

// Fifteen times, where the sums of all rows of a tile stay in registers. With those of one row at a time it
// is 8 times.
void show_speed_of_tiles() {
  use_kernels(tile_kernels().name);
  show_speed("ten times as fast as three loops", multiply_simd, 10);
  show_speed("fifteen times as fast as three loops", multiply_simd, 15);
}

}  // namespace

std::vector<Stage> stages() {
  return {{"the matrix product", show_all},
          {"speed of local sums", show_speed_of_local_sums},
          {"speed of vector tiles", show_speed_of_tiles}};
}

}  // namespace plainformer::course
