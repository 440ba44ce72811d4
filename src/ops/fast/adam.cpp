#include "ops/adam.h"

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/fast/fast.h"
#include "ops/fast/row_grain.h"

namespace plainformer::fast {

void adam_update(Parameter& parameter, Tensor& first_moment, Tensor& second_moment, const AdamStep& step) {
  const Real* grad = parameter.grad.data();
  Real* value = parameter.value.mutable_data();
  Real* m = first_moment.mutable_data();
  Real* v = second_moment.mutable_data();
  parallel_for(parameter.value.size(), row_grain(1), [&](Index begin, Index end) {
    kernels().adam(end - begin, step, grad + begin, value + begin, m + begin, v + begin);
  });
}

}  // namespace plainformer::fast
