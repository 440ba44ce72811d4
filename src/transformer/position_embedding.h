// Paper: 3.5 Positional Encoding (learned, Table 3, row E)
//
// Instead of sines and cosines, each position has a vector that is trained like any other weight.
#pragma once

#include "core/parameter.h"

namespace plainformer {

class PositionEmbedding {
 public:
  // All vectors start at 0; the model initializes them.
  PositionEmbedding(Index max_length, Index d_model);

  // y = x + table[pos] for the positions first_position .. first_position + len - 1, all below max_length.
  //   x [batch, len, d_model] -> the same shape
  Tensor forward(Tensor x, Index first_position = 0) const;

  // table.grad[pos] += the sum of grad_output over the batch, with positions from 0 on. x's gradient is
  // grad_output itself.    grad_output [batch, len, d_model]
  void backward(const Tensor& grad_output);

  Parameter table;  // [max_length, d_model]
};

}  // namespace plainformer
