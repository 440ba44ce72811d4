// Where NaN or infinity came from: they spread, so what was computed first is the culprit.
#pragma once

#include <string>
#include <vector>

#include "core/named_tensor.h"
#include "core/parameter.h"
#include "transformer/transformer.h"

namespace plainformer {

// Of a forward pass whose loss is not finite: "the output of encoder.0.feed_forward", the first that is not
// finite either; "the loss" if all are.
std::string first_not_finite_output(const Transformer::Cache& cache);

// Of a backward pass: "the gradient of decoder.1.feed_forward.w_2", in the order of backward, from the last
// layer to the first. Not finite is here what cannot be squared, because Adam does that. "the gradient" if
// only the squares of all together are too large.
std::string first_not_finite_gradient(const ParameterList& parameters);

// The first that holds NaN or infinity, by name; "" if none does.
std::string first_not_finite(const std::vector<NamedTensor>& tensors);

}  // namespace plainformer
