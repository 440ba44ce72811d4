// Finds the origin of NaN or infinity. They spread, so it is the first tensor that has them.
#pragma once

#include <string>
#include <vector>

#include "core/parameter.h"
#include "transformer/transformer.h"

namespace plainformer {

// The first output of a forward pass that is not finite, such as "the output of encoder.0.feed_forward". If
// all outputs are finite, "the loss".
std::string first_not_finite_output(const Transformer::Cache& cache);

// "the loss": another model is known by its loss alone.
template <typename Cache>
std::string first_not_finite_output(const Cache&) {
  return "the loss";
}

// The first gradient, from the last layer to the first, whose squares are not finite (Adam computes with the
// squares), such as "the gradient of decoder.1.feed_forward.w_2". If only the sum of all squares is too
// large, "the gradient".
std::string first_not_finite_gradient(const ParameterList& parameters);

// The name of the first tensor that holds NaN or infinity; "" if none does.
std::string first_not_finite(const std::vector<NamedTensor>& tensors);

}  // namespace plainformer
