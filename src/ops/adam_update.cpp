#include "ops/adam_update.h"

#include "core/thread_pool.h"
#include "ops/rows.h"

namespace plainformer {

void adam_update(Parameter& parameter, Tensor& first_moment, Tensor& second_moment, const AdamStep& step) {
  const Shape& shape = parameter.value.shape();
  CHECK(parameter.grad.shape() == shape && first_moment.shape() == shape && second_moment.shape() == shape,
        "gradient ", parameter.grad.shape().to_string(), ", moments ", first_moment.shape().to_string(),
        " and ", second_moment.shape().to_string(), " for ", shape.to_string());
  const Real* grad = parameter.grad.data();
  Real* value = parameter.value.mutable_data();
  Real* m = first_moment.mutable_data();
  Real* v = second_moment.mutable_data();
  parallel_for(parameter.value.size(), row_grain(1), [&](Index begin, Index end) {
    kernels().adam(end - begin, step, grad + begin, value + begin, m + begin, v + begin);
  });
}

}  // namespace plainformer
