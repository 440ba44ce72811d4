#include "ops/elementwise.h"

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/fast/fast.h"
#include "ops/fast/row_grain.h"

namespace plainformer::fast {

Tensor dropout_forward(Tensor x, Real probability, RandomStream stream) {
  const std::uint32_t threshold = dropout_threshold(probability);
  const Real scale = 1 / (1 - probability);
  Real* data = x.mutable_data();
  parallel_for(x.size(), row_grain(1), [&](Index begin, Index end) {
    kernels().dropout(end - begin, stream, static_cast<std::uint32_t>(begin), threshold, scale, data + begin,
                      data + begin);
  });
  return x;
}

// y was: x / (1 - probability) where an element was kept. The same stream keeps the same elements.
Tensor dropout_backward(Tensor grad_y, Real probability, RandomStream stream) {
  return fast::dropout_forward(std::move(grad_y), probability, stream);
}

}  // namespace plainformer::fast
