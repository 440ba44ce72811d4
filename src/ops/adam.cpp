#include "ops/adam.h"

#include <cmath>

#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/fast/fast.h"
#include "ops/ways.h"

namespace plainformer {

void adam_update(Parameter& parameter, Tensor& first_moment, Tensor& second_moment, const AdamStep& step) {
  const Shape& shape = parameter.value.shape();
  CHECK(parameter.grad.shape() == shape && first_moment.shape() == shape && second_moment.shape() == shape,
        "gradient ", parameter.grad.shape().to_string(), ", moments ", first_moment.shape().to_string(),
        " and ", second_moment.shape().to_string(), " for ", shape.to_string());
  if (ways.adam == Way::kFast) return fast::adam_update(parameter, first_moment, second_moment, step);

  const TensorWriter value(parameter.value), m(first_moment), v(second_moment);
  for (Index i = 0; i < parameter.value.size(); ++i) {
    const Real g = step.grad_scale * parameter.grad(i);

    // Step 1. Running averages of the gradient and of its square.
    m(i) = step.beta_1 * m(i) + step.one_minus_beta_1 * g;
    v(i) = step.beta_2 * v(i) + step.one_minus_beta_2 * g * g;

    // Step 2. Correct the bias: m_hat = m / (1 - beta_1^t), v_hat = v / (1 - beta_2^t). m began at 0, so the
    // weights of the gradients in it sum to 1 - beta_1^t, not yet to 1. Likewise v.
    const Real m_hat = m(i) / step.bias_correction_1;
    const Real v_hat = v(i) / step.bias_correction_2;

    // Step 3. A step of about the learning rate, against the gradient.
    value(i) -= step.learning_rate * m_hat / (std::sqrt(v_hat) + step.epsilon);
  }
}

}  // namespace plainformer
