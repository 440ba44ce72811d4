// One forward and backward pass through a stack of encoder layers, with residual connections and layer
// normalization or without.
#pragma once

#include <vector>

#include "transformer/encoder.h"

namespace plainformer {

struct StackVariant {
  bool residual = true, layer_norm = true;  // the paper's layer has both
};

// One number for each layer.
struct StackTrace {
  std::vector<double> gradient_norms;  // of its input
  std::vector<double> similarity;      // of its outputs: the mean cosine of two positions of a sentence
};

// x and grad_output [batch, len, d_model]; no padding, no dropout. Sets the gradients of the encoder.
StackTrace trace_stack(Encoder& encoder, StackVariant variant, const Tensor& x, const Tensor& grad_output);

}  // namespace plainformer
