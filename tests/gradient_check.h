// Checks a backward pass, written by hand, against central differences of its forward pass:
//
//   numeric = (loss(x + eps) - loss(x - eps)) / (2 eps)     with eps = 1e-6
//
// for every element of every tensor. They agree if |analytic - numeric| <= 1e-6 + 1e-5 |numeric|.
//
// The loss of an operation is dot(cotangent, output) with a random cotangent. A plain sum would not do: the
// outputs of a softmax always sum to 1, and those of a layer norm to the sum of its bias, so a sum has
// gradient 0 there and any backward that returns 0 would pass.
//
// Differences at 1e-6 mean something in double only, so a GRADIENT_TEST (GRADIENT_TEST_F) is a TEST (TEST_F)
// of the double build (cmake --preset double). The float build compiles it and does not list it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/tensor.h"
#include "tensors.h"

#ifdef PLAINFORMER_DOUBLE
#define GRADIENT_TEST(suite, name) TEST(suite, name)
#define GRADIENT_TEST_F(fixture, name) TEST_F(fixture, name)
#else
#define GRADIENT_TEST(suite, name) [[maybe_unused]] static void suite##_##name##_InTheDoubleBuild()
#define GRADIENT_TEST_F(fixture, name)                   \
  struct fixture##_##name##_InTheDoubleBuild : fixture { \
    [[maybe_unused]] void check_gradients();             \
  };                                                     \
  void fixture##_##name##_InTheDoubleBuild::check_gradients()
#endif

namespace plainformer {

// A tensor that the loss depends on, and what the backward pass says of it.
struct Differentiated {
  std::string name;
  Tensor* value;    // changed one element at a time, and restored
  Tensor analytic;  // its gradient by the backward pass
};

namespace gradient_check {

inline constexpr double kEpsilon = 1e-6, kRelative = 1e-5, kAbsolute = 1e-6;
inline constexpr double kSeen = 1e-3;  // a tensor whose gradients are all smaller was not really checked
inline constexpr int kShown = 5;       // how many wrong elements a message lists

// "x[1, 2]" for the element at a row-major offset.
inline std::string element_name(const std::string& name, const Shape& shape, Index offset) {
  std::string text;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    text = std::to_string(offset % shape[axis]) + (text.empty() ? "" : ", ") + text;
    offset /= shape[axis];
  }
  return name + "[" + text + "]";
}

inline double central_difference(const std::function<double()>& loss, Tensor& value, Index i) {
  const Real original = value.data()[i];
  value.mutable_data()[i] = static_cast<Real>(original + kEpsilon);
  const double above = loss();
  value.mutable_data()[i] = static_cast<Real>(original - kEpsilon);
  const double below = loss();
  value.mutable_data()[i] = original;
  return (above - below) / (2 * kEpsilon);
}

// Appends to `report` what is wrong with one tensor's gradient; nothing if all is well.
inline void check_tensor(const std::function<double()>& loss, const Differentiated& input,
                         std::string& report) {
  const Shape shape = input.value->shape();
  if (input.analytic.shape() != shape) {
    report += input.name + ": a gradient of shape " + input.analytic.shape().to_string() +
              " for a value of shape " + shape.to_string() + "\n";
    return;
  }
  int wrong = 0;
  double largest = 0;
  for (Index i = 0; i < shape.elements(); ++i) {
    const double numeric = central_difference(loss, *input.value, i), analytic = input.analytic.data()[i];
    largest = std::max(largest, std::abs(numeric));
    if (std::abs(analytic - numeric) <= kAbsolute + kRelative * std::abs(numeric)) continue;
    if (++wrong <= kShown)
      report += detail::concatenate(element_name(input.name, shape, i), ": numeric ", numeric, ", analytic ",
                                    analytic, "\n");
  }
  if (wrong > kShown)
    report += detail::concatenate(input.name, ": ", wrong, " of ", shape.elements(), " elements are wrong\n");
  if (largest < kSeen)
    report += detail::concatenate(input.name, ": no gradient is larger than ", largest,
                                  ", so this loss does not test it\n");
}

}  // namespace gradient_check

// Does the backward pass agree with the differences of `loss`, in every element of every input?
inline testing::AssertionResult gradients_agree(const std::function<double()>& loss,
                                                const std::vector<Differentiated>& inputs) {
  std::string report;
  for (const Differentiated& input : inputs) gradient_check::check_tensor(loss, input, report);
  if (report.empty()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << report;
}

// Parameters under their names, with the gradients that a backward pass has left in them.
inline std::vector<Differentiated> differentiated(const ParameterList& parameters) {
  std::vector<Differentiated> inputs;
  for (const NamedParameter& p : parameters)
    inputs.push_back({p.name, &p.parameter->value, p.parameter->grad});
  return inputs;
}

}  // namespace plainformer
