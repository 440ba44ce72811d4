// Paper: 3.2.1 Scaled Dot-Product Attention (footnote 4): dot products grow with d_k, and the gradient of the
// softmax vanishes. Both measured on random queries and keys, and with them the gradient that reaches a query.
#pragma once

#include <cstdint>

#include "core/real.h"

namespace plainformer {

struct SoftmaxGradientOptions {
  Index keys = 16, queries = 2000;  // each query meets keys of its own
  std::uint64_t seed = 1;
};

// The weights P = softmax(S) of the scores S = q . k / c, for one divisor c.
struct DividedScores {
  double largest_weight = 0;  // mean over the queries
  double norm = 0;            // of dP/dS = diag(P) - P P^T, the softmax's Jacobian; mean over the queries
  // The norm of dP/dq = (dP/dS) K / c: the scores' factor 1/c, and one row for each key.
  double query_mean = 0, query_median = 0;
  double query_ninth_decile = 0;  // a tenth of the queries has more
};

// All norms are those of Frobenius: roots of the sums of squares.
struct SoftmaxGradient {
  double variance = 0;  // of the dot products q . k
  DividedScores by_nothing, by_root, by_d_k;
};

// The components of queries and keys are independent, with mean 0 and variance 1.
SoftmaxGradient softmax_gradient(Index d_k, const SoftmaxGradientOptions& options);

}  // namespace plainformer
