// Paper: 3.4 Embeddings and Softmax (the pre-softmax linear transformation)
//
// "we share the same weight matrix between the two embedding layers and the pre-softmax linear
// transformation": the logit of a token is the dot product of the decoder's output with the token's
// embedding.
#pragma once

#include "core/parameter.h"

namespace plainformer {

// logits = x table^T. Its backward is part of the loss: projected_cross_entropy_forward_backward.
//   x [batch, len, d_model], table [vocab, d_model] -> [batch, len, vocab]
Tensor output_projection_forward(const Tensor& x, const Parameter& table);

}  // namespace plainformer
