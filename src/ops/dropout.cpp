#include "ops/dropout.h"

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/rows.h"

namespace plainformer {

Tensor dropout_forward(Tensor x, Real probability, RandomKey key) {
  CHECK(probability >= 0 && probability < 1, "dropout probability ", probability);
  Tensor y = std::move(x);
  if (probability == 0 || y.empty()) return y;
  CHECK(y.size() <= (Index{1} << 32), "a stream has 2^32 numbers, the tensor ", y.size(), " elements");
  // An element is dropped when its 32 bits, as a fraction of 2^32, lie below the probability.
  const auto threshold = static_cast<std::uint32_t>(static_cast<double>(probability) * 4294967296.0);
  const Real scale = 1 / (1 - probability);
  Real* data = y.mutable_data();
  parallel_for(y.size(), row_grain(1), [&](Index begin, Index end) {
    kernels().dropout(end - begin, key, static_cast<std::uint32_t>(begin), threshold, scale, data + begin,
                      data + begin);
  });
  return y;
}

Tensor dropout_backward(Tensor grad_y, Real probability, RandomKey key) {
  return dropout_forward(std::move(grad_y), probability, key);
}

}  // namespace plainformer
