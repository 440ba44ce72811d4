#include "ops/embedding_lookup.h"

#include <algorithm>

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/fast/fast.h"
#include "ops/fast/row_grain.h"

namespace plainformer::fast {

Tensor embedding_lookup_forward(std::span<const int> ids, const Parameter& table) {
  const Index count = std::ssize(ids), d = table.value.dim(1);
  Tensor y({count, d});
  Real* to = y.mutable_data();
  parallel_for(count, row_grain(d), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) std::copy_n(table.value.data() + ids[i] * d, d, to + i * d);
  });
  return y;
}

void embedding_lookup_backward(const Tensor& grad_y, std::span<const int> ids, Parameter& table) {
  const Index count = std::ssize(ids), d = table.value.dim(1);
  Real* grad = table.mutable_grad().mutable_data();
  // Two ids may pick the same row, so a thread owns some of the columns, and sees all ids in order.
  parallel_for(d, std::max<Index>(64, row_grain(count)), [&](Index begin, Index end) {
    for (Index i = 0; i < count; ++i) {
      kernels().add(end - begin, grad_y.data() + i * d + begin, grad + ids[i] * d + begin);
    }
  });
}

}  // namespace plainformer::fast
