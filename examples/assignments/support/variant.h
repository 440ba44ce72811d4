// Grades a variant, whose answer is not in the repository.
//
// A variant's test file computes the forward pass by plain loops over std::vector<double>: the oracle. The
// student's output must equal the oracle's, and the student's gradients must equal the differences of the
// oracle. (Differences of the student's own forward pass would agree with the repository's backward pass as
// soon as the forward pass is the repository's.)
//
// Not every seed is fair. The tests named Fair.* look at the oracle alone: `course verify --seed S` runs
// them, and a seed is fair if they pass.
#pragma once

#include <algorithm>

#include "core/gradient_check.h"
#include "support/tensors.h"

namespace plainformer::course {

using Values = std::vector<double>;

constexpr double kOutputTolerance = 1e-9;
constexpr double kStep = 1e-5;  // of the differences

// How far a gradient may be from its difference.
inline double gradient_tolerance(double difference) {
  return 1e-6 + 1e-5 * std::abs(difference);
}

inline double dot(const Values& x, const Values& y) {
  CHECK(x.size() == y.size(), x.size(), " and ", y.size(), " values");
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

// The central difference of the loss for each element of x, which the loss reads.
inline Values differences(const LossFunction& loss, Values& x, double step = kStep) {
  Values all;
  for (double& element : x) {
    const double original = element;
    element = original + step;
    const double above = loss();
    element = original - step;
    const double below = loss();
    element = original;
    all.push_back((above - below) / (2 * step));
  }
  return all;
}

// Is a student's gradient that of the oracle's loss?    found: of this shape, as x is
inline testing::AssertionResult is_gradient(const Tensor& found, const Shape& shape, const LossFunction& loss,
                                            Values& x) {
  if (found.shape() != shape)
    return testing::AssertionFailure()
           << "shape " << found.shape().to_string() << ", expected " << shape.to_string();
  const Values expected = differences(loss, x), gradient = values(found);
  CHECK(gradient.size() == expected.size(), gradient.size(), " gradients of ", expected.size(), " values");
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::abs(gradient[i] - expected[i]) <= gradient_tolerance(expected[i])))
      return testing::AssertionFailure() << "element " << i << " of " << shape.to_string() << " is "
                                         << gradient[i] << ", the difference is " << expected[i];
  return testing::AssertionSuccess();
}

// Fair: a right gradient passes, since a step four times as large gives the same differences; and a gradient
// of zeros fails, since one of them at least is not small.
inline testing::AssertionResult differences_are_fair(const LossFunction& loss, Values& x) {
  const Values fine = differences(loss, x), coarse = differences(loss, x, 4 * kStep);
  double largest = 0;
  for (std::size_t i = 0; i < fine.size(); ++i) {
    largest = std::max(largest, std::abs(fine[i]));
    if (!(std::abs(fine[i] - coarse[i]) <= gradient_tolerance(fine[i]) / 10))
      return testing::AssertionFailure()
             << "difference " << i << " is " << fine[i] << ", and " << coarse[i] << " with another step";
  }
  if (largest < 1e-3) return testing::AssertionFailure() << "no difference is larger than " << largest;
  return testing::AssertionSuccess();
}

// Fair: the answer to the ordinary exercise fails, since one of its outputs is far from the variant's.
inline testing::AssertionResult outputs_are_far_apart(const Values& variant, const Values& ordinary) {
  CHECK(variant.size() == ordinary.size(), variant.size(), " and ", ordinary.size(), " values");
  double farthest = 0;
  for (std::size_t i = 0; i < variant.size(); ++i)
    farthest = std::max(farthest, std::abs(variant[i] - ordinary[i]));
  if (farthest < 1e-3)
    return testing::AssertionFailure() << "no output differs from the ordinary one by more than " << farthest;
  return testing::AssertionSuccess();
}

// Fair: the ordinary backward pass fails too, since one of its gradients is a hundred tolerances away.
inline testing::AssertionResult gradients_are_far_apart(const LossFunction& variant,
                                                        const LossFunction& ordinary, Values& x) {
  const Values gradient = differences(variant, x), other = differences(ordinary, x);
  double farthest = 0;  // in tolerances
  for (std::size_t i = 0; i < gradient.size(); ++i)
    farthest = std::max(farthest, std::abs(gradient[i] - other[i]) / gradient_tolerance(gradient[i]));
  if (farthest < 100)
    return testing::AssertionFailure()
           << "the ordinary gradients are at most " << farthest << " tolerances away";
  return testing::AssertionSuccess();
}

}  // namespace plainformer::course
