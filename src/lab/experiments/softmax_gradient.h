// Paper: 3.2.1 Scaled Dot-Product Attention (footnote 4): dot products grow with d_k, and the gradient of the
// softmax vanishes. Both measured on random queries and keys.
#pragma once

#include <cstdint>

#include "core/real.h"

namespace plainformer {

struct SoftmaxGradientOptions {
  Index keys = 16, queries = 2000;  // each query meets keys of its own
  std::uint64_t seed = 1;
};

struct SoftmaxGradient {
  double variance = 0;  // of the dot products q . k
  // Means over the queries, without and with the division by sqrt(d_k): the Frobenius norm of the softmax's
  // Jacobian, diag(w) - w w^T, and the largest weight.
  double norm = 0, scaled_norm = 0;
  double largest_weight = 0, scaled_largest_weight = 0;
};

// The components of queries and keys are independent, with mean 0 and variance 1.
SoftmaxGradient softmax_gradient(Index d_k, const SoftmaxGradientOptions& options);

}  // namespace plainformer
