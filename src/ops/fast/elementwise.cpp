#include "ops/elementwise.h"

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/fast/fast.h"
#include "ops/fast/row_grain.h"

namespace plainformer::fast {

Tensor add(Tensor x, const Tensor& y) {
  Tensor sum = std::move(x);
  Real* data = sum.mutable_data();
  parallel_for(sum.size(), row_grain(1),
               [&](Index begin, Index end) { kernels().add(end - begin, y.data() + begin, data + begin); });
  return sum;
}

Tensor scale(Tensor x, Real factor) {
  Tensor product = std::move(x);
  Real* data = product.mutable_data();
  parallel_for(product.size(), row_grain(1), [&](Index begin, Index end) {
    kernels().scale(end - begin, factor, data + begin, data + begin);
  });
  return product;
}

}  // namespace plainformer::fast
