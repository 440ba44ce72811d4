#include "beyond/token_input.h"

#include "transformer/embedding.h"

namespace plainformer {

Tensor token_input_forward(const TokenBatch& tokens, const Parameter& embedding, const DropoutState& dropout,
                           int site) {
  return dropout_forward(embedding_forward(tokens, embedding), dropout.probability, dropout.stream(site));
}

void token_input_backward(Tensor grad_x, const TokenBatch& tokens, Parameter& embedding,
                          const DropoutState& dropout, int site) {
  embedding_backward(dropout_backward(std::move(grad_x), dropout.probability, dropout.stream(site)), tokens,
                     embedding);
}

}  // namespace plainformer
