#include "transformer/positional_encoding.h"

#include <cmath>

#include "core/check.h"
#include "core/writable_tensor.h"

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
  const Index batch = x.dim(0), len = x.dim(1), max_length = table.value.dim(0), d_model = table.value.dim(1);
  CHECK_SHAPE(x, batch, len, d_model);
  CHECK(first_position >= 0 && first_position + len <= max_length, len, " positions from ", first_position,
        " on, of ", max_length);

  WritableTensor y = std::move(x);
  for (Index b = 0; b < batch; ++b)
    for (Index i = 0; i < len; ++i)
      for (Index j = 0; j < d_model; ++j) y(b, i, j) += table.value(first_position + i, j);
  return y;
}

// y was: x + table[pos], the same rows for every sentence. So their gradient is the sum over the batch.
void PositionalEncoding::backward(const Tensor& grad_output) {
  const Index batch = grad_output.dim(0), len = grad_output.dim(1), d_model = table.value.dim(1);
  CHECK_SHAPE(grad_output, batch, len, d_model);
  CHECK(len <= table.value.dim(0), len, " positions of ", table.value.dim(0));
  if (!is_learned()) return;

  const TensorWriter grad_table(table.mutable_grad());
  for (Index b = 0; b < batch; ++b)
    for (Index i = 0; i < len; ++i)
      for (Index j = 0; j < d_model; ++j) grad_table(i, j) += grad_output(b, i, j);
}

}  // namespace plainformer
