#include "transformer/position_embedding.h"

#include "core/check.h"
#include "ops/add_rows.h"

namespace plainformer {

PositionEmbedding::PositionEmbedding(Index max_length, Index d_model)
    : table(Tensor::zeros({max_length, d_model})) {}

Tensor PositionEmbedding::forward(Tensor x, Index first_position) const {
  const Index batch = x.dim(0), len = x.dim(1), d_model = table.value.dim(1);
  CHECK_SHAPE(x, batch, len, d_model);
  return add_rows_forward(std::move(x), table.value, first_position);
}

void PositionEmbedding::backward(const Tensor& grad_output) {
  const Index batch = grad_output.dim(0), len = grad_output.dim(1), d_model = table.value.dim(1);
  CHECK_SHAPE(grad_output, batch, len, d_model);
  add_rows_backward(grad_output, table.mutable_grad(), 0);
}

}  // namespace plainformer
