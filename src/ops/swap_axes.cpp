#include "ops/swap_axes.h"

#include <algorithm>

#include "core/thread_pool.h"
#include "ops/rows.h"

namespace plainformer {

Tensor swap_middle_axes(const Tensor& x) {
  CHECK(x.rank() == 4, x.shape().to_string());
  const Index a = x.dim(0), b = x.dim(1), c = x.dim(2), d = x.dim(3);
  Tensor y({a, c, b, d});
  Real* to = y.mutable_data();
  parallel_for(a * c, row_grain(b * d), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Real* from = x.data() + (i / c * b * c + i % c) * d;  // x[i / c][0][i % c]
      for (Index j = 0; j < b; ++j) std::copy_n(from + j * c * d, d, to + (i * b + j) * d);
    }
  });
  return y;
}

}  // namespace plainformer
