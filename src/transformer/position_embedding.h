// Paper: 3.5 Positional Encoding (learned, Table 3, row E)
//
// In place of sines and cosines, a vector for each position that is trained like any other weight. The table
// is not a member: as one table of sines serves both stacks, so does this one, and the model owns it.
#pragma once

#include "core/parameter.h"

namespace plainformer {

// y = x + table[pos].    x [batch, len, d_model]: the positions first_position .. first_position + len - 1,
// all below max_length; table [max_length, d_model]
Tensor position_embedding_forward(Tensor x, const Parameter& table, Index first_position = 0);

// table.grad[pos] += the sum of grad_output over the batch, for positions that count from 0. x's gradient is
// grad_output itself.
void position_embedding_backward(const Tensor& grad_output, Parameter& table);

}  // namespace plainformer
