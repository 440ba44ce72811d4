// The input of a recurrent translator: embedded tokens, without positions, because the chain counts them itself.
#pragma once

#include "core/parameter.h"
#include "transformer/dropout_state.h"
#include "transformer/token_batch.h"

namespace plainformer {

// x = Dropout(Embedding(tokens)), with the dropout of this site.    tokens [batch, len] -> x [batch, len, d_model]
Tensor token_input_forward(const TokenBatch& tokens, const Parameter& embedding, const DropoutState& dropout,
                           int site);

// Adds to the gradient of the embedding.    grad_x [batch, len, d_model]
void token_input_backward(Tensor grad_x, const TokenBatch& tokens, Parameter& embedding,
                          const DropoutState& dropout, int site);

}  // namespace plainformer
