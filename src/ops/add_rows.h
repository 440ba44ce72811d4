// Adds the same rows to every element of a batch.
#pragma once

#include "core/tensor.h"

namespace plainformer {

// y[element][i] = x[element][i] + rows[first_row + i].
//   x [batch, len, d], rows [count, d]; first_row .. first_row + len - 1 lie in 0 .. count - 1
Tensor add_rows_forward(Tensor x, const Tensor& rows, Index first_row);

// grad_x is grad_y; grad_rows[first_row + i] += the sum of grad_y[element][i] over the batch.
void add_rows_backward(const Tensor& grad_y, Tensor& grad_rows, Index first_row);

}  // namespace plainformer
