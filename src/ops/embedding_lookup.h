// Rows of a table: picked by their numbers, or added to every element of a batch.
#pragma once

#include <span>

#include "core/parameter.h"
#include "core/tensor.h"

namespace plainformer {

// y[i] = table[ids[i]].    ids in 0 .. entries - 1 (else std::logic_error), table [entries, d] -> y [ids, d]
Tensor embedding_lookup_forward(std::span<const int> ids, const Parameter& table);

// table.grad[ids[i]] += grad_y[i]: a row that was picked twice gets both gradients.
//   grad_y [..., d], a row for each id; ids in 0 .. entries - 1 (else std::logic_error)
void embedding_lookup_backward(const Tensor& grad_y, std::span<const int> ids, Parameter& table);

// y[element][i] = x[element][i] + rows[first_row + i].
//   x [batch, len, d], rows [count, d]; first_row .. first_row + len - 1 lie in 0 .. count - 1
Tensor add_rows_forward(Tensor x, const Tensor& rows, Index first_row);

// grad_x is grad_y; grad_rows[first_row + i] += the sum of grad_y[element][i] over the batch.
void add_rows_backward(const Tensor& grad_y, Tensor& grad_rows, Index first_row);

}  // namespace plainformer
