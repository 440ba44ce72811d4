#include "transformer/positional_encoding.h"

#include <cmath>

#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/embedding_lookup.h"

namespace plainformer {

namespace {

Tensor sines_and_cosines(Index max_length, Index d_model) {
  // Columns 2i and 2i + 1 share a divisor. The angles are computed in double: in float they would have too
  // few correct digits.
  WritableTensor pe({max_length, d_model});
  for (Index column = 0; column < d_model; ++column) {
    const Index i = column / 2;
    const double divisor = std::pow(10000.0, static_cast<double>(2 * i) / static_cast<double>(d_model));
    for (Index pos = 0; pos < max_length; ++pos) {
      const double angle = static_cast<double>(pos) / divisor;
      pe(pos, column) = static_cast<Real>(column % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
  return pe;
}

}  // namespace

PositionalEncoding::PositionalEncoding(Index max_length, Index d_model, Positions kind)
    : table(kind == Positions::kLearned ? Tensor::zeros({max_length, d_model})
                                        : sines_and_cosines(max_length, d_model)),
      kind_(kind) {}

Tensor PositionalEncoding::forward(Tensor x, Index first_position) const {
  const Index batch = x.dim(0), len = x.dim(1), d_model = table.value.dim(1);
  CHECK_SHAPE(x, batch, len, d_model);
  return add_rows_forward(std::move(x), table.value, first_position);
}

void PositionalEncoding::backward(const Tensor& grad_output) {
  const Index batch = grad_output.dim(0), len = grad_output.dim(1), d_model = table.value.dim(1);
  CHECK_SHAPE(grad_output, batch, len, d_model);
  if (is_learned()) add_rows_backward(grad_output, table.mutable_grad(), 0);
}

}  // namespace plainformer
