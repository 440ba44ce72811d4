#include "layers/position_embedding.h"

namespace plainformer {

Tensor position_embedding_forward(Tensor x, const Parameter& table, Index first_position) {
  const Index batch = x.dim(0), len = x.dim(1), max_length = table.value.dim(0), d_model = table.value.dim(1);
  CHECK_SHAPE(x, batch, len, d_model);
  CHECK(first_position >= 0 && first_position + len <= max_length, "positions ", first_position, " to ",
        first_position + len - 1, " of ", max_length);
  const Real* positions = table.value.data() + first_position * d_model;
  Tensor y = std::move(x);
  Real* rows = y.mutable_data();
  for (Index element = 0; element < batch; ++element, rows += len * d_model)
    for (Index i = 0; i < len * d_model; ++i) rows[i] += positions[i];
  return y;
}

Tensor position_embedding_backward(Tensor grad_output, Parameter& table) {
  const Index batch = grad_output.dim(0), len = grad_output.dim(1), max_length = table.value.dim(0),
              d_model = table.value.dim(1);
  CHECK_SHAPE(grad_output, batch, len, d_model);
  CHECK(len <= max_length, len, " positions of ", max_length);
  Real* grad_positions = table.grad.mutable_data();
  const Real* rows = grad_output.data();
  for (Index element = 0; element < batch; ++element, rows += len * d_model)
    for (Index i = 0; i < len * d_model; ++i) grad_positions[i] += rows[i];
  return grad_output;
}

}  // namespace plainformer
