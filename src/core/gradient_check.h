// Checks the gradients of a backward pass, element by element, against central differences of the loss:
//
//   numeric = (loss(x + epsilon) - loss(x - epsilon)) / (2 epsilon)
//
// The two agree if |analytic - numeric| <= absolute + relative |numeric|.
//
// To check an operation, let the loss be dot(cotangent, output) with a random cotangent. A plain sum does not
// work everywhere: the outputs of a softmax always sum to 1, and those of a layer norm to the sum of its
// bias. There the gradient of a sum is 0, and a backward pass that returns 0 would pass the check.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/parameter.h"

namespace plainformer {

// The sum of x_i y_i over all elements, in double.    x, y of one size; std::logic_error otherwise
double dot(const Tensor& x, const Tensor& y);

// Computes the loss from tensors that the caller keeps. It should add in double.
using LossFunction = std::function<double()>;

// A tensor that the loss depends on, and its gradient as the backward pass computed it.
struct CheckedTensor {
  std::string name;
  Tensor* value;    // changed one element at a time, and restored
  Tensor analytic;  // its gradient by the backward pass
};

// Parameters under their names, with the gradients that a backward pass has left in them.
std::vector<CheckedTensor> checked_tensors(const ParameterList& parameters);

struct GradientTolerance {
  double epsilon, relative, absolute;
};
// In double, two errors are far below 1e-6: epsilon squared, and the rounding of the loss divided by epsilon.
// Float rounds the loss to about seven digits. So it needs a larger epsilon, and the check is coarse: it
// finds a missing term or factor. Check in double (cmake --preset double) before you trust a backward pass.
#ifdef PLAINFORMER_DOUBLE
inline constexpr GradientTolerance kGradientTolerance = {1e-6, 1e-5, 1e-6};
#else
inline constexpr GradientTolerance kGradientTolerance = {1e-2, 2e-2, 2e-3};
#endif

// The numeric gradient of one element, at a row-major offset. Restores the element.
double central_difference(const LossFunction& loss, Tensor& value, Index offset,
                          double epsilon = kGradientTolerance.epsilon);

// Says where analytic and numeric gradients differ, with a line for each of the first wrong elements of a
// tensor; empty if they agree everywhere. It is also an error if all numeric gradients of a tensor are nearly
// 0, because then the loss does not test that tensor.
std::string gradient_errors(const LossFunction& loss, const std::vector<CheckedTensor>& inputs,
                            const GradientTolerance& tolerance = kGradientTolerance);

}  // namespace plainformer
