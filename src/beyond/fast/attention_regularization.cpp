#include "beyond/attention_regularization.h"

#include "beyond/fast/fast.h"
#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/dropout.h"

namespace plainformer::fast {

Tensor drop_weights(Tensor weights, const AttentionRegularization& regularization) {
  const Index heads = weights.dim(0) * weights.dim(1), weights_of_head = weights.dim(2) * weights.dim(3);
  const Real p = regularization.weight_dropout;
  Real* data = weights.mutable_data();
  parallel_for(heads, 1, [&](Index begin, Index end) {
    for (Index head = begin; head < end; ++head) {
      const Index first = head * weights_of_head;
      kernels().dropout(weights_of_head, regularization.weight_stream, static_cast<std::uint32_t>(first),
                        dropout_threshold(p), factor_of_head(regularization, head) / (1 - p), data + first,
                        data + first);
    }
  });
  return weights;
}

}  // namespace plainformer::fast
