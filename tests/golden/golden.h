// Golden values: what PyTorch computed (make_golden.py), and how our tensors are compared with it.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <iomanip>
#include <limits>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "core/parameter.h"
#include "io/safetensors.h"
#include "support/small_model.h"
#include "transformer/token_batch.h"

namespace plainformer::golden {

// Equal enough: |got - expected| <= absolute + relative * |expected|.
struct Tolerance {
  double relative, absolute;
};
inline constexpr bool kDoubleBuild = std::is_same_v<Real, double>;
inline constexpr Tolerance kForOnePart = kDoubleBuild ? Tolerance{1e-9, 1e-9} : Tolerance{1.3e-6, 1e-5};
inline constexpr Tolerance kForWholeModel = kDoubleBuild ? Tolerance{1e-9, 1e-9} : Tolerance{1e-4, 1e-4};

// One case of one golden file: the tensors whose names start with `prefix`, which the names below leave out.
class GoldenCase {
 public:
  GoldenCase(const std::string& file, const std::string& prefix)
      : file_(read_tensor_file(PLAINFORMER_SOURCE_DIR "/tests/golden/" + file + ".safetensors")),
        prefix_(prefix) {
    for (const NamedTensor& each : file_.tensors)
      if (each.name.starts_with(prefix_)) unread_.insert(each.name);
  }

  const Tensor& at(const std::string& name) const {
    unread_.erase(prefix_ + name);
    return file_.at(prefix_ + name);
  }
  double number(const std::string& name) const { return at(name).at({0}); }

  template <typename Integer>
  std::vector<Integer> integers(const std::string& name) const {
    const Tensor& tensor = at(name);
    std::vector<Integer> result;
    for (Index i = 0; i < tensor.size(); ++i) result.push_back(static_cast<Integer>(tensor.data()[i]));
    return result;
  }
  std::vector<Index> lengths(const std::string& name) const { return integers<Index>(name); }

  TokenBatch tokens(const std::string& ids, const std::string& lengths_name) const {
    return {at(ids).dim(0), at(ids).dim(1), integers<int>(ids), lengths(lengths_name)};
  }

  void load(const ParameterList& parameters, const std::string& prefix = "") const {
    for (const NamedParameter& each : parameters) {
      ASSERT_TRUE(each.parameter->value.shape() == at(prefix + each.name).shape()) << each.name;
      *each.parameter = Parameter(at(prefix + each.name));
    }
  }

  // Every golden value has had its say: a parameter or gradient that the code forgot would be left over.
  void expect_all_read(const std::set<std::string>& except = {}) const { EXPECT_EQ(unread_, except); }

 private:
  TensorFile file_;
  std::string prefix_;
  mutable std::set<std::string> unread_;
};

// How many times the tolerance the difference is: equal enough up to 1. Infinite where `got` is not a number.
inline double excess(double expected, double got, Tolerance tolerance) {
  const double allowed = tolerance.absolute + tolerance.relative * std::abs(expected);
  return std::isfinite(got) ? std::abs(got - expected) / allowed : std::numeric_limits<double>::infinity();
}

inline void expect_near(const std::string& name, double expected, double got, Tolerance tolerance) {
  EXPECT_LE(excess(expected, got, tolerance), 1)
      << std::setprecision(17) << name << ": expected " << expected << ", got " << got;
}

// Compares every element.
inline void expect_near(const std::string& name, const Tensor& expected, const Tensor& got,
                        Tolerance tolerance) {
  ASSERT_TRUE(got.shape() == expected.shape())
      << name << ": expected " << expected.shape().to_string() << ", got " << got.shape().to_string();
  for (Index i = 0; i < expected.size(); ++i)
    expect_near(name + ", element " + std::to_string(i), expected.data()[i], got.data()[i], tolerance);
}

// The gradients of all parameters against those stored under "grad." and the parameter's name.
inline void expect_gradients_near(const GoldenCase& golden, const ParameterList& parameters,
                                  Tolerance tolerance) {
  for (const NamedParameter& each : parameters)
    expect_near("grad." + each.name, golden.at("grad." + each.name), each.parameter->grad, tolerance);
}

// The same tensor [batch, len, ...] with 0 in the positions past the end of each sequence, as golden files
// have it.
inline Tensor without_padding(Tensor tensor, const std::vector<Index>& lengths) {
  const Index len = tensor.dim(1), width = tensor.size() / (tensor.dim(0) * len);
  Real* data = tensor.mutable_data();
  for (Index element = 0; element < tensor.dim(0); ++element)
    for (Index i = lengths[static_cast<std::size_t>(element)] * width; i < len * width; ++i)
      data[element * len * width + i] = 0;
  return tensor;
}

}  // namespace plainformer::golden
