// Small tensors for tests: made from literals or drawn, read back, compared.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/check.h"
#include "core/gradient_check.h"
#include "core/parameter.h"
#include "core/random.h"
#include "core/tensor.h"

namespace plainformer {

// A tensor from double literals, rounded to Real.
inline Tensor tensor(const Shape& shape, const std::vector<double>& values) {
  CHECK(static_cast<Index>(values.size()) == shape.elements(), values.size(), " values for ",
        shape.to_string());
  Tensor result(shape);
  Real* data = result.mutable_data();
  for (std::size_t i = 0; i < values.size(); ++i) data[i] = static_cast<Real>(values[i]);
  return result;
}

// Independent elements of mean 0 and variance 1: the same for the same seed.
inline Tensor random_tensor(const Shape& shape, std::uint64_t seed) {
  Random random(random_stream(seed, 0, 0));
  Tensor result(shape);
  Real* data = result.mutable_data();
  for (Index i = 0; i < result.size(); ++i) data[i] = static_cast<Real>(random.normal());
  return result;
}

inline Parameter random_parameter(const Shape& shape, std::uint64_t seed) {
  return Parameter(random_tensor(shape, seed));
}

inline std::vector<double> values(const Tensor& x) {
  return std::vector<double>(x.data(), x.data() + x.size());
}

inline bool same_bits(const Tensor& x, const Tensor& y) {
  return x.shape() == y.shape() &&
         (x.empty() ||
          std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.size()) * sizeof(Real)) == 0);
}

inline bool same_bits(const std::vector<Tensor>& x, const std::vector<Tensor>& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](const Tensor& a, const Tensor& b) { return same_bits(a, b); });
}

// Same shape, and every |actual - expected| <= tolerance (so a NaN is never near).
inline testing::AssertionResult near(const Tensor& actual, const Tensor& expected, double tolerance) {
  if (actual.shape() != expected.shape())
    return testing::AssertionFailure()
           << "shape " << actual.shape().to_string() << ", expected " << expected.shape().to_string();
  for (Index i = 0; i < actual.size(); ++i) {
    const double difference = std::abs(double(actual.data()[i]) - double(expected.data()[i]));
    if (!(difference <= tolerance))
      return testing::AssertionFailure() << "element " << i << " differs by " << difference << "\n  actual   "
                                         << actual.to_string() << "\n  expected " << expected.to_string();
  }
  return testing::AssertionSuccess();
}

// The same, against literals.
inline testing::AssertionResult near(const Tensor& actual, const Shape& shape,
                                     const std::vector<double>& expected, double tolerance = 1e-5) {
  return near(actual, tensor(shape, expected), tolerance);
}

}  // namespace plainformer
