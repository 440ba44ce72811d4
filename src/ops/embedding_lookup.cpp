#include "ops/embedding_lookup.h"

#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/rows.h"

namespace plainformer {

namespace {

void check_ids(std::span<const int> ids, Index entries) {
  for (const int id : ids) CHECK(id >= 0 && id < entries, "id ", id, " of ", entries);
}

}  // namespace

Tensor embedding_lookup_forward(std::span<const int> ids, const Parameter& table) {
  const Index count = std::ssize(ids), entries = table.value.dim(0), d = table.value.dim(1);
  CHECK_SHAPE(table.value, entries, d);
  check_ids(ids, entries);

  WritableTensor y({count, d});
  for (Index i = 0; i < count; ++i)
    for (Index j = 0; j < d; ++j) y(i, j) = table.value(Index{ids[i]}, j);
  return y;
}

// y(i) was: row ids[i] of the table. A row that was picked twice gets both gradients.
void embedding_lookup_backward(const Tensor& grad_y, std::span<const int> ids, Parameter& table) {
  const Index count = std::ssize(ids), entries = table.value.dim(0), d = table.value.dim(1);
  CHECK(row_count(grad_y) == count && row_length(grad_y) == d, grad_y.shape().to_string(), " for ", count,
        " ids and rows of ", d);
  check_ids(ids, entries);

  const TensorWriter grad_table(table.mutable_grad());
  for (Index i = 0; i < count; ++i)
    for (Index j = 0; j < d; ++j) grad_table(Index{ids[i]}, j) += grad_y(i, j);
}

namespace {

void check_rows(const Tensor& x, const Tensor& rows, Index first_row) {
  const Index batch = x.dim(0), len = x.dim(1), count = rows.dim(0), d = rows.dim(1);
  CHECK_SHAPE(rows, count, d);
  CHECK_SHAPE(x, batch, len, d);
  CHECK(first_row >= 0 && first_row + len <= count, "rows ", first_row, " to ", first_row + len - 1, " of ",
        count);
}

}  // namespace

Tensor add_rows_forward(Tensor x, const Tensor& rows, Index first_row) {
  check_rows(x, rows, first_row);

  const Index batch = x.dim(0), len = x.dim(1), d = x.dim(2);
  WritableTensor y = std::move(x);
  for (Index b = 0; b < batch; ++b)
    for (Index i = 0; i < len; ++i)
      for (Index j = 0; j < d; ++j) y(b, i, j) += rows(first_row + i, j);
  return y;
}

// y was: x + rows, the same rows for every element of the batch. So their gradient is the sum over the batch.
void add_rows_backward(const Tensor& grad_y, Tensor& grad_rows, Index first_row) {
  check_rows(grad_y, grad_rows, first_row);

  const Index batch = grad_y.dim(0), len = grad_y.dim(1), d = grad_y.dim(2);
  const TensorWriter grad(grad_rows);
  for (Index b = 0; b < batch; ++b)
    for (Index i = 0; i < len; ++i)
      for (Index j = 0; j < d; ++j) grad(first_row + i, j) += grad_y(b, i, j);
}

}  // namespace plainformer
