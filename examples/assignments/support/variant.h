// What the driver of a variant needs, whose answer is not in the library.
//
// Such a driver is compiled twice. With COURSE_ORACLE its stages show what is right: a forward pass in plain
// loops over doubles, and gradients that are differences of it. Without, they show what the student's
// functions return. So no right number is in the process of the student's code. (Differences of the student's
// own forward pass would agree with the repository's backward pass as soon as the forward pass is the
// repository's.)
#pragma once

#include <functional>
#include <vector>

#include "core/check.h"
#include "core/tensor.h"
#include "driver.h"
#include "seed.h"

namespace plainformer::course {

using Values = std::vector<double>;

inline Tensor tensor(const Shape& shape, const Values& values) {
  CHECK(static_cast<Index>(values.size()) == shape.elements(), values.size(), " values");
  Tensor made(shape);
  Real* const elements = made.mutable_data();
  for (std::size_t i = 0; i < values.size(); ++i) elements[i] = static_cast<Real>(values[i]);
  return made;
}

inline double dot(const Values& x, const Values& y) {
  CHECK(x.size() == y.size(), x.size(), " and ", y.size(), " values");
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

// The central difference of the loss for each element of x, which the loss reads.
inline Values differences(const std::function<double()>& loss, Values& x) {
  constexpr double kStep = 1e-5;
  Values all;
  for (double& element : x) {
    const double original = element;
    element = original + kStep;
    const double above = loss();
    element = original - kStep;
    const double below = loss();
    element = original;
    all.push_back((above - below) / (2 * kStep));
  }
  return all;
}

}  // namespace plainformer::course
