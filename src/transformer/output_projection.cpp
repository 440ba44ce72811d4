#include "transformer/output_projection.h"

#include "ops/matmul.h"

namespace plainformer {

Tensor output_projection_forward(const Tensor& x, const Parameter& table) {
  const Index batch = x.dim(0), len = x.dim(1), d_model = table.value.dim(1), vocab = table.value.dim(0);
  CHECK_SHAPE(x, batch, len, d_model);
  const Tensor logits = matmul(x, Transpose::kNo, table.value, Transpose::kYes);
  return logits.reshaped({batch, len, vocab});
}

Tensor output_projection_backward(const Tensor& grad_logits, const Tensor& x, Parameter& table) {
  const Index batch = x.dim(0), len = x.dim(1), d_model = table.value.dim(1), vocab = table.value.dim(0);
  CHECK_SHAPE(x, batch, len, d_model);
  CHECK_SHAPE(grad_logits, batch, len, vocab);

  // logits was: x table^T. Both factors get a share; the table's adds to what the embeddings put there.
  matmul_accumulate(grad_logits, Transpose::kYes, x, Transpose::kNo, table.grad);
  return matmul(grad_logits, Transpose::kNo, table.value, Transpose::kNo).reshaped(x.shape());
}

}  // namespace plainformer
