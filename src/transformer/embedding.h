// Paper: 3.4 Embeddings and Softmax
//
// A token's vector, times sqrt(d_model). The table is an argument, because the model owns it: one matrix
// serves the source, the target and the output projection.
#pragma once

#include "core/parameter.h"
#include "transformer/token_batch.h"

namespace plainformer {

// y = sqrt(d_model) table[token].    table [vocab, d_model] -> [batch, len, d_model]
Tensor embedding_forward(const TokenBatch& tokens, const Parameter& table);

// table.grad[token] += sqrt(d_model) grad_output, for each position.    grad_output [batch, len, d_model]
// Move grad_output in: its memory is reused.
void embedding_backward(Tensor grad_output, const TokenBatch& tokens, Parameter& table);

// The pre-softmax linear transformation: "we share the same weight matrix between the two embedding layers
// and the pre-softmax linear transformation". The logit of a token is the dot product of the decoder's output
// with the token's embedding.
//
// logits = x table^T. Its backward is part of the loss: projected_cross_entropy_forward_backward.
//   x [batch, len, d_model], table [vocab, d_model] -> [batch, len, vocab]
Tensor output_projection_forward(const Tensor& x, const Parameter& table);

}  // namespace plainformer
