// Checks a backward pass, written by hand, against central differences of its forward pass:
//
//   numeric = (loss(x + epsilon) - loss(x - epsilon)) / (2 epsilon)
//
// for every element of every tensor. They agree if |analytic - numeric| <= absolute + relative |numeric|.
//
// Take dot(cotangent, output) with a random cotangent as the loss of an operation. A plain sum would not do:
// the outputs of a softmax always sum to 1, and those of a layer norm to the sum of its bias, so a sum has
// gradient 0 there and any backward that returns 0 would pass.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/parameter.h"

namespace plainformer {

// The loss as a function of tensors that the caller keeps. Compute sums in double.
using LossFunction = std::function<double()>;

// A tensor that the loss depends on, and its gradient as the backward pass computed it.
struct Differentiated {
  std::string name;
  Tensor* value;    // changed one element at a time, and restored
  Tensor analytic;  // its gradient by the backward pass
};

// Parameters under their names, with the gradients that a backward pass has left in them.
std::vector<Differentiated> differentiated(const ParameterList& parameters);

struct GradientTolerance {
  double epsilon, relative, absolute;
};
// In double, the rounding of the loss divided by epsilon, and epsilon squared, are both far below 1e-6. Float
// rounds the loss to about seven digits, so its steps must be larger and its check is coarse: it finds a
// missing term or factor. Check in double (cmake --preset double) before you trust a backward pass.
#ifdef PLAINFORMER_DOUBLE
inline constexpr GradientTolerance kGradientTolerance = {1e-6, 1e-5, 1e-6};
#else
inline constexpr GradientTolerance kGradientTolerance = {1e-2, 2e-2, 2e-3};
#endif

// The numeric gradient of one element, at a row-major offset. Restores the element.
double central_difference(const LossFunction& loss, Tensor& value, Index offset,
                          double epsilon = kGradientTolerance.epsilon);

// A text that says where analytic and numeric gradients differ, a line for each of the first wrong elements
// of a tensor; empty if they agree everywhere. A tensor that the loss does not depend on is an error too: such
// a loss does not test it.
std::string gradient_errors(const LossFunction& loss, const std::vector<Differentiated>& inputs,
                            const GradientTolerance& tolerance = kGradientTolerance);

}  // namespace plainformer
