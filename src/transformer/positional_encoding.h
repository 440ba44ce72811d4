// Paper: 3.5 Positional Encoding
//
//   PE(pos, 2i)     = sin(pos / 10000^(2i / d_model))
//   PE(pos, 2i + 1) = cos(pos / 10000^(2i / d_model))
//
// Sines and cosines alternate, as in the paper. Positions count from 0.
#pragma once

#include "core/tensor.h"

namespace plainformer {

class PositionalEncoding {
 public:
  PositionalEncoding(Index max_length, Index d_model);

  // y = x + PE for the positions first_position .. first_position + len - 1, all below max_length.
  //   x [batch, len, d_model] -> the same shape
  Tensor forward(Tensor x, Index first_position = 0) const;

  // Does nothing: PE is constant, and x's gradient is grad_output itself.    grad_output [batch, len, d_model]
  void backward(const Tensor& /*grad_output*/) const {}

  const Tensor& table() const { return table_; }  // [max_length, d_model]

 private:
  Tensor table_;
};

}  // namespace plainformer
