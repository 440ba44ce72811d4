#include "ops/adam.h"

#include <cmath>

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/fast/fast.h"
#include "ops/fast/row_grain.h"

namespace plainformer::fast {

void adam_update(Parameter& parameter, Tensor& first_moment, Tensor& second_moment,
                 const AdamOptions& options, const AdamUpdate& update) {
  const auto real = [](double number) { return static_cast<Real>(number); };
  const AdamStep step = {.learning_rate = real(update.learning_rate),
                         .beta_1 = real(options.beta_1),
                         .beta_2 = real(options.beta_2),
                         .epsilon = real(options.epsilon),
                         .one_minus_beta_1 = real(1 - options.beta_1),
                         .one_minus_beta_2 = real(1 - options.beta_2),
                         .bias_correction_1 = real(1 - std::pow(options.beta_1, update.t)),
                         .bias_correction_2 = real(1 - std::pow(options.beta_2, update.t)),
                         .grad_scale = real(update.grad_scale)};
  const Real* grad = parameter.grad.data();
  Real* value = parameter.value.mutable_data();
  Real* m = first_moment.mutable_data();
  Real* v = second_moment.mutable_data();
  parallel_for(parameter.value.size(), row_grain(1), [&](Index begin, Index end) {
    kernels().adam(end - begin, step, grad + begin, value + begin, m + begin, v + begin);
  });
}

}  // namespace plainformer::fast
