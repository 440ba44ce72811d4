#include "ops/adam.h"

#include <cmath>

#include "core/elements.h"
#include "ops/plain/plain.h"

namespace plainformer::plain {

void adam_update(Parameter& parameter, Tensor& first_moment, Tensor& second_moment,
                 const AdamUpdate& update) {
  const auto beta_1 = static_cast<Real>(update.beta_1),
             one_minus_beta_1 = static_cast<Real>(1 - update.beta_1);
  const auto beta_2 = static_cast<Real>(update.beta_2),
             one_minus_beta_2 = static_cast<Real>(1 - update.beta_2);
  const auto correction_1 = static_cast<Real>(1 - std::pow(update.beta_1, update.t));
  const auto correction_2 = static_cast<Real>(1 - std::pow(update.beta_2, update.t));
  const auto learning_rate = static_cast<Real>(update.learning_rate);
  const auto epsilon = static_cast<Real>(update.epsilon), grad_scale = static_cast<Real>(update.grad_scale);
  Elements value(parameter.value), m(first_moment), v(second_moment);
  for (Index i = 0; i < parameter.value.size(); ++i) {
    const Real g = grad_scale * parameter.grad(i);

    // Step 1. Running averages of the gradient and of its square.
    m(i) = beta_1 * m(i) + one_minus_beta_1 * g;
    v(i) = beta_2 * v(i) + one_minus_beta_2 * g * g;

    // Step 2. Both began at 0, so at first they are too small: divide by the weight of the gradients in them.
    const Real m_hat = m(i) / correction_1, v_hat = v(i) / correction_2;

    // Step 3. A step of about the learning rate, against the gradient.
    value(i) -= learning_rate * m_hat / (std::sqrt(v_hat) + epsilon);
  }
}

}  // namespace plainformer::plain
