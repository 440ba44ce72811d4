// Paper: 3.4 Embeddings and Softmax (the pre-softmax linear transformation)
//
// "We share the same weight matrix between the two embedding layers and the pre-softmax linear
// transformation": the logit of a token is the dot product of the decoder's output with the token's
// embedding.
#pragma once

#include "core/parameter.h"

namespace plainformer {

// logits = x table^T.    x [batch, len, d_model], table [vocab, d_model] -> [batch, len, vocab]
Tensor output_projection_forward(const Tensor& x, const Parameter& table);

// grad_x = grad_logits table is returned; table.grad += grad_logits^T x.
Tensor output_projection_backward(const Tensor& grad_logits, const Tensor& x, Parameter& table);

}  // namespace plainformer
