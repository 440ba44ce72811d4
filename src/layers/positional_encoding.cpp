#include "layers/positional_encoding.h"

#include <cmath>

namespace plainformer {

PositionalEncoding::PositionalEncoding(Index max_length, Index d_model) : table_({max_length, d_model}) {
  Real* table = table_.mutable_data();
  for (Index pos = 0; pos < max_length; ++pos) {
    for (Index column = 0; column < d_model; ++column) {
      // Columns 2i and 2i + 1 share a frequency. In double, because pos / 10000^x has few correct digits in
      // float.
      const double exponent = static_cast<double>(column / 2 * 2) / static_cast<double>(d_model);
      const double angle = static_cast<double>(pos) / std::pow(10000.0, exponent);
      table[pos * d_model + column] = static_cast<Real>(column % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
}

Tensor PositionalEncoding::forward(Tensor x) const {
  const Index batch = x.dim(0), len = x.dim(1), d_model = table_.dim(1);
  CHECK_SHAPE(x, batch, len, d_model);
  CHECK(len <= table_.dim(0), "length ", len, " of at most ", table_.dim(0));
  Tensor y = std::move(x);
  Real* data = y.mutable_data();
  for (Index element = 0; element < batch; ++element) {
    Real* rows = data + element * len * d_model;
    for (Index i = 0; i < len * d_model; ++i) rows[i] += table_.data()[i];
  }
  return y;
}

}  // namespace plainformer
