#include "ops/dropout.h"

#include <algorithm>

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/rows.h"

namespace plainformer {

DropoutRule::DropoutRule(Real probability, RandomKey key, Index size) : key_(key) {
  CHECK(probability >= 0 && probability < 1, "dropout probability ", probability);
  CHECK(size <= (Index{1} << 32), "a stream has 2^32 numbers, the tensor ", size, " elements");
  threshold_ = static_cast<std::uint32_t>(static_cast<double>(probability) * 4294967296.0);
  scale_ = 1 / (1 - probability);
}

void DropoutRule::apply(Index first, Index n, const Real* from, Real* to) const {
  if (threshold_ != 0)
    return kernels().dropout(n, key_, static_cast<std::uint32_t>(first), threshold_, scale_, from, to);
  if (from != to) std::copy_n(from, n, to);
}

Tensor dropout_forward(Tensor x, Real probability, RandomKey key) {
  const DropoutRule rule(probability, key, x.size());
  Tensor y = std::move(x);
  if (probability == 0 || y.empty()) return y;
  Real* data = y.mutable_data();
  parallel_for(y.size(), row_grain(1),
               [&](Index begin, Index end) { rule.apply(begin, end - begin, data + begin, data + begin); });
  return y;
}

Tensor dropout_backward(Tensor grad_y, Real probability, RandomKey key) {
  return dropout_forward(std::move(grad_y), probability, key);
}

}  // namespace plainformer
