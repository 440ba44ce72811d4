// Parameters and operations of a model, by part.
#pragma once

#include "transformer/config.h"

namespace plainformer {

struct ParameterCounts {
  Index embedding = 0, attention = 0, feed_forward = 0, norms = 0;

  Index total() const { return embedding + attention + feed_forward + norms; }
};

// From the shapes of the layers' parameters.
ParameterCounts count_parameters(const ModelConfig& config);

// The multiplications, each with an addition, of the matrix products of one forward pass.
struct ProductCounts {
  Index output_projection = 0;  // x embedding^T
  Index projections = 0;        // W^Q, W^K, W^V and W^O of all attentions
  Index scores_and_sums = 0;    // Q K^T, and the weights times V
  Index feed_forward = 0;

  Index total() const { return output_projection + projections + scores_and_sums + feed_forward; }
};

// For a sentence of `len` tokens and a translation of the same length, special symbols included.
ProductCounts count_products(const ModelConfig& config, Index len);

}  // namespace plainformer
