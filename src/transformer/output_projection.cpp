#include "transformer/output_projection.h"

#include "ops/linear.h"

namespace plainformer {

Tensor output_projection_forward(const Tensor& x, const Parameter& table) {
  const Index batch = x.dim(0), len = x.dim(1), d_model = table.value.dim(1);
  CHECK_SHAPE(x, batch, len, d_model);
  return linear_transposed_forward(x, table);
}

Tensor output_projection_backward(const Tensor& grad_logits, const Tensor& x, Parameter& table) {
  const Index batch = x.dim(0), len = x.dim(1), d_model = table.value.dim(1), vocab = table.value.dim(0);
  CHECK_SHAPE(x, batch, len, d_model);
  CHECK_SHAPE(grad_logits, batch, len, vocab);

  // logits was: x table^T. Both factors get a share; the table's adds to what the embeddings put there.
  return linear_transposed_backward(grad_logits, x, table);
}

}  // namespace plainformer
