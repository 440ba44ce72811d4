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

}  // namespace plainformer
