// Paper: 3.5 Positional Encoding
//
//   PE(pos, 2i)     = sin(pos / 10000^(2i / d_model))
//   PE(pos, 2i + 1) = cos(pos / 10000^(2i / d_model))
//
// Sines and cosines alternate, as in the paper. Positions count from 0. The wavelengths rise from 2 pi to
// 10000 * 2 pi. A step of k positions turns each pair of columns by a fixed angle, so PE(pos + k) is a linear
// function of PE(pos): "it would allow the model to easily learn to attend by relative positions".
//
// In Table 3, row E, each position has a vector that is trained like any other weight instead, with "nearly
// identical results".
#pragma once

#include "core/parameter.h"
#include "transformer/config.h"

namespace plainformer {

class PositionalEncoding {
 public:
  // Sines and cosines; or learned vectors, which start at 0: the model initializes them.
  PositionalEncoding(Index max_length, Index d_model, Positions kind = Positions::kSinusoidal);

  // y = x + table[pos] for the positions first_position .. first_position + len - 1, all below max_length.
  //   x [batch, len, d_model] -> the same shape
  Tensor forward(Tensor x, Index first_position = 0) const;

  // x's gradient is grad_output itself. Learned vectors get theirs: table.grad[pos] += the sum of grad_output
  // over the batch, with positions from 0 on.    grad_output [batch, len, d_model]
  void backward(const Tensor& grad_output);

  bool is_learned() const { return kind_ == Positions::kLearned; }

  Parameter table;  // [max_length, d_model]

 private:
  Positions kind_;
};

}  // namespace plainformer
