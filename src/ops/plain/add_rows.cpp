#include "ops/add_rows.h"

#include "core/elements.h"
#include "ops/plain/plain.h"

namespace plainformer::plain {

Tensor add_rows_forward(Tensor x, const Tensor& rows, Index first_row) {
  const Index batch = x.dim(0), len = x.dim(1), d = x.dim(2);
  Elements y(x);
  for (Index b = 0; b < batch; ++b)
    for (Index i = 0; i < len; ++i)
      for (Index j = 0; j < d; ++j) y(b, i, j) += rows(first_row + i, j);
  return x;
}

// y was: x + rows, the same rows for every element of the batch. So their gradient is the sum over the batch.
void add_rows_backward(const Tensor& grad_y, Tensor& grad_rows, Index first_row) {
  const Index batch = grad_y.dim(0), len = grad_y.dim(1), d = grad_y.dim(2);
  Elements grad(grad_rows);
  for (Index b = 0; b < batch; ++b)
    for (Index i = 0; i < len; ++i)
      for (Index j = 0; j < d; ++j) grad(first_row + i, j) += grad_y(b, i, j);
}

}  // namespace plainformer::plain
