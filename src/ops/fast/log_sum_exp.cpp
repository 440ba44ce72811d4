#include "ops/reductions.h"

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/fast/fast.h"
#include "ops/fast/row_grain.h"
#include "ops/rows.h"

namespace plainformer::fast {

Tensor log_sum_exp(const Tensor& x) {
  const Index rows = row_count(x), classes = row_length(x);
  Tensor y({rows});
  Real* to = y.mutable_data();
  parallel_for(rows, row_grain(classes), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const Real* x_row = x.data() + row * classes;
      to[row] = static_cast<Real>(kernels().log_sum_exp(classes, kernels().largest(classes, x_row), x_row));
    }
  });
  return y;
}

}  // namespace plainformer::fast
