#include "transformer/position_embedding.h"

#include "core/check.h"
#include "ops/add_rows.h"

namespace plainformer {

Tensor position_embedding_forward(Tensor x, const Parameter& table, Index first_position) {
  const Index batch = x.dim(0), len = x.dim(1), d_model = table.value.dim(1);
  CHECK_SHAPE(x, batch, len, d_model);
  return add_rows_forward(std::move(x), table.value, first_position);
}

void position_embedding_backward(const Tensor& grad_output, Parameter& table) {
  const Index batch = grad_output.dim(0), len = grad_output.dim(1), d_model = table.value.dim(1);
  CHECK_SHAPE(grad_output, batch, len, d_model);
  add_rows_backward(grad_output, table.mutable_grad(), 0);
}

}  // namespace plainformer
