#include "transformer/embedding.h"

#include <cmath>

#include "core/check.h"
#include "ops/elementwise.h"
#include "ops/embedding_lookup.h"
#include "ops/linear.h"

namespace plainformer {

Tensor embedding_forward(const TokenBatch& tokens, const Parameter& table) {
  const Index vocab = table.value.dim(0), d_model = table.value.dim(1);
  CHECK_SHAPE(table.value, vocab, d_model);

  // Step 1. Look up: x = table[token].
  Tensor x = embedding_lookup_forward(tokens.ids, table);  // [batch * len, d_model]

  // Step 2. Scale: y = sqrt(d_model) x.
  x = scale(std::move(x), std::sqrt(static_cast<Real>(d_model)));
  return x.reshaped({tokens.batch, tokens.len, d_model});
}

void embedding_backward(Tensor grad_output, const TokenBatch& tokens, Parameter& table) {
  const Index batch = tokens.batch, len = tokens.len, d_model = table.value.dim(1);
  CHECK_SHAPE(grad_output, batch, len, d_model);

  // Step 2 was: y = sqrt(d_model) x.
  const Tensor grad_x = scale(std::move(grad_output), std::sqrt(static_cast<Real>(d_model)));

  // Step 1 was: x = table[token].
  embedding_lookup_backward(grad_x, tokens.ids, table);
}

Tensor output_projection_forward(const Tensor& x, const Parameter& table) {
  const Index batch = x.dim(0), len = x.dim(1), d_model = table.value.dim(1);
  CHECK_SHAPE(x, batch, len, d_model);
  return linear_transposed_forward(x, table);
}

}  // namespace plainformer
