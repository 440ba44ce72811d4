#include "ops/adam.h"

#include <cmath>

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/fast/fast.h"
#include "ops/rows.h"

namespace plainformer::fast {

void adam_update(Parameter& parameter, Tensor& first_moment, Tensor& second_moment,
                 const AdamUpdate& update) {
  const AdamStep step = {.learning_rate = static_cast<Real>(update.learning_rate),
                         .beta_1 = static_cast<Real>(update.beta_1),
                         .beta_2 = static_cast<Real>(update.beta_2),
                         .epsilon = static_cast<Real>(update.epsilon),
                         .one_minus_beta_1 = static_cast<Real>(1 - update.beta_1),
                         .one_minus_beta_2 = static_cast<Real>(1 - update.beta_2),
                         .bias_correction_1 = static_cast<Real>(1 - std::pow(update.beta_1, update.t)),
                         .bias_correction_2 = static_cast<Real>(1 - std::pow(update.beta_2, update.t)),
                         .grad_scale = static_cast<Real>(update.grad_scale)};
  const Real* grad = parameter.grad.data();
  Real* value = parameter.value.mutable_data();
  Real* m = first_moment.mutable_data();
  Real* v = second_moment.mutable_data();
  parallel_for(parameter.value.size(), row_grain(1), [&](Index begin, Index end) {
    kernels().adam(end - begin, step, grad + begin, value + begin, m + begin, v + begin);
  });
}

}  // namespace plainformer::fast
