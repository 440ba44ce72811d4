// Paper: 3.5 Positional Encoding (learned, Table 3, row E)
//
// In place of sines and cosines, each position has a vector that is trained like any other weight. The table
// is an argument, because the model owns it: like the table of sines, it serves both stacks.
#pragma once

#include "core/parameter.h"

namespace plainformer {

// y = x + table[pos] for the positions first_position .. first_position + len - 1, all below max_length.
//   x [batch, len, d_model], table [max_length, d_model] -> x's shape
Tensor position_embedding_forward(Tensor x, const Parameter& table, Index first_position = 0);

// table.grad[pos] += the sum of grad_output over the batch, with positions from 0 on. x's gradient is
// grad_output itself.    grad_output [batch, len, d_model]
void position_embedding_backward(const Tensor& grad_output, Parameter& table);

}  // namespace plainformer
