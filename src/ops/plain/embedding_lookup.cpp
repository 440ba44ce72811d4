#include "ops/embedding_lookup.h"

#include "core/elements.h"
#include "ops/plain/plain.h"

namespace plainformer::plain {

Tensor embedding_lookup_forward(std::span<const int> ids, const Parameter& table) {
  const Index count = std::ssize(ids), d = table.value.dim(1);
  Tensor output({count, d});
  Elements y(output);
  for (Index i = 0; i < count; ++i)
    for (Index j = 0; j < d; ++j) y(i, j) = table.value(Index{ids[i]}, j);
  return output;
}

// y(i) was: row ids[i] of the table. A row that was picked twice gets both gradients.
void embedding_lookup_backward(const Tensor& grad_y, std::span<const int> ids, Parameter& table) {
  const Index count = std::ssize(ids), d = table.value.dim(1);
  Elements grad_table(table.mutable_grad());
  for (Index i = 0; i < count; ++i)
    for (Index j = 0; j < d; ++j) grad_table(Index{ids[i]}, j) += grad_y(i, j);
}

}  // namespace plainformer::plain
