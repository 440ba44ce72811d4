// Shared by the agreement tests of all kernels: misaligned inputs, fenced outputs, a tolerance in roundings.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace plainformer {

inline constexpr double kEpsilon = std::numeric_limits<Real>::epsilon();
inline constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
inline constexpr Real kNaN = std::numeric_limits<Real>::quiet_NaN();
inline constexpr Real kUntouched = 77;
inline constexpr Index kOffset = 3;  // starts that are not aligned to anything

inline std::vector<Index> lengths() {
  std::vector<Index> lengths(34);
  std::iota(lengths.begin(), lengths.end(), 0);  // up to two vectors of 16, and one more
  lengths.insert(lengths.end(), {63, 64, 100, 515});
  return lengths;
}

// n numbers that start misaligned. The NaNs behind them must not be read.
struct Input {
  Input(Index n, std::uint32_t seed, double low = -2, double high = 2)
      : storage(std::size_t(kOffset + n + 64), kNaN) {
    Random random(random_stream(seed, 0, 0));
    for (Index i = 0; i < n; ++i) data()[i] = static_cast<Real>(low + (high - low) * random.uniform());
  }
  Real* data() { return storage.data() + kOffset; }
  double operator[](Index i) const { return double(storage[std::size_t(kOffset + i)]); }
  std::vector<Real> storage;
};

// Room for n numbers, with a fence on both sides.
struct Output {
  explicit Output(Index n, Real initial = kUntouched)
      : size(n), storage(std::size_t(kOffset + n + 64), kUntouched) {
    std::fill_n(data(), n, initial);
  }
  ~Output() {
    for (Index i = 0; i < kOffset; ++i)
      EXPECT_EQ(storage[std::size_t(i)], kUntouched) << "written before the start";
    for (std::size_t i = std::size_t(kOffset + size); i < storage.size(); ++i)
      EXPECT_EQ(storage[i], kUntouched) << "written beyond the end, n = " << size;
  }
  Real* data() { return storage.data() + kOffset; }
  double operator[](Index i) const { return double(storage[std::size_t(kOffset + i)]); }
  Index size;
  std::vector<Real> storage;
};

class KernelAgreement : public testing::TestWithParam<std::string> {
 protected:
  const Kernels& kernel_set = find_kernels(GetParam());
};

// Expects `actual` within `roundings` roundings of numbers of that magnitude.
inline void expect_close(double actual, double expected, double magnitude, double roundings, Index n,
                         Index i) {
  EXPECT_LE(std::abs(actual - expected), roundings * kEpsilon * magnitude)
      << "element " << i << " of " << n << ": expected " << expected << ", got " << actual;
}

}  // namespace plainformer
