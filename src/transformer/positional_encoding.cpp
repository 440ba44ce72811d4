#include "transformer/positional_encoding.h"

#include <cmath>

#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/add_rows.h"

namespace plainformer {

PositionalEncoding::PositionalEncoding(Index max_length, Index d_model) : table_({max_length, d_model}) {
  // Columns 2i and 2i + 1 share a divisor. The angles are computed in double: in float they would have too
  // few correct digits.
  const TensorWriter pe(table_);
  for (Index column = 0; column < d_model; ++column) {
    const Index i = column / 2;
    const double divisor = std::pow(10000.0, static_cast<double>(2 * i) / static_cast<double>(d_model));
    for (Index pos = 0; pos < max_length; ++pos) {
      const double angle = static_cast<double>(pos) / divisor;
      pe(pos, column) = static_cast<Real>(column % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
}

Tensor PositionalEncoding::forward(Tensor x, Index first_position) const {
  const Index batch = x.dim(0), len = x.dim(1), d_model = table_.dim(1);
  CHECK_SHAPE(x, batch, len, d_model);
  return add_rows_forward(std::move(x), table_, first_position);
}

}  // namespace plainformer
