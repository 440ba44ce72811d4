#include "transformer/positional_encoding.h"

#include <cmath>
#include <vector>

#include "core/check.h"
#include "ops/add_rows.h"

namespace plainformer {

PositionalEncoding::PositionalEncoding(Index max_length, Index d_model) : table_({max_length, d_model}) {
  // Columns 2i and 2i + 1 share a divisor. The angles are computed in double: in float they would have too
  // few correct digits.
  std::vector<double> divisors;  // 10000^(2i / d_model)
  for (Index column = 0; column < d_model; ++column) {
    const double exponent = static_cast<double>(column / 2 * 2) / static_cast<double>(d_model);
    divisors.push_back(std::pow(10000.0, exponent));
  }
  Real* table = table_.mutable_data();
  for (Index pos = 0; pos < max_length; ++pos) {
    for (Index column = 0; column < d_model; ++column) {
      const double angle = static_cast<double>(pos) / divisors[column];
      table[pos * d_model + column] = static_cast<Real>(column % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
}

Tensor PositionalEncoding::forward(Tensor x, Index first_position) const {
  const Index batch = x.dim(0), len = x.dim(1), d_model = table_.dim(1);
  CHECK_SHAPE(x, batch, len, d_model);
  return add_rows_forward(std::move(x), table_, first_position);
}

}  // namespace plainformer
