#include "ops/adam.h"

#include <cmath>

#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/fast/fast.h"
#include "ops/ways.h"

namespace plainformer {

void adam_update(Parameter& parameter, Tensor& first_moment, Tensor& second_moment,
                 const AdamOptions& options, const AdamUpdate& update) {
  const Shape& shape = parameter.value.shape();
  CHECK(parameter.grad.shape() == shape && first_moment.shape() == shape && second_moment.shape() == shape,
        "gradient ", parameter.grad.shape().to_string(), ", moments ", first_moment.shape().to_string(),
        " and ", second_moment.shape().to_string(), " for ", shape.to_string());
  if (ways.adam == Way::kFast)
    return fast::adam_update(parameter, first_moment, second_moment, options, update);

  const auto& [beta_1, beta_2, epsilon] = options;
  const double beta_1_to_t = std::pow(beta_1, update.t), beta_2_to_t = std::pow(beta_2, update.t);
  const TensorWriter value(parameter.value), m(first_moment), v(second_moment);
  for (Index i = 0; i < parameter.value.size(); ++i) {
    const double g = update.grad_scale * parameter.grad(i);

    // Step 1. Running averages of the gradient and of its square.
    m(i) = static_cast<Real>(beta_1 * m(i) + (1 - beta_1) * g);
    v(i) = static_cast<Real>(beta_2 * v(i) + (1 - beta_2) * g * g);

    // Step 2. Correct the bias: m began at 0, so the weights of the gradients in it sum to 1 - beta_1^t, not
    // yet to 1. The same holds for v.
    const double m_hat = m(i) / (1 - beta_1_to_t);
    const double v_hat = v(i) / (1 - beta_2_to_t);

    // Step 3. A step of about the learning rate, against the gradient.
    value(i) -= static_cast<Real>(update.learning_rate * m_hat / (std::sqrt(v_hat) + epsilon));
  }
}

Adam::Adam(const ParameterList& parameters, const AdamOptions& options) : options_(options) {
  for (const NamedParameter& p : parameters) {
    first_moments_.push_back(Tensor::zeros(p.parameter->value.shape()));
    second_moments_.push_back(Tensor::zeros(p.parameter->value.shape()));
  }
}

void Adam::step(const ParameterList& parameters, double learning_rate, double grad_scale) {
  CHECK(parameters.size() == first_moments_.size(), parameters.size(), " parameters, ", first_moments_.size(),
        " moments");
  ++steps_;
  const AdamUpdate update = {
      .t = static_cast<double>(steps_), .learning_rate = learning_rate, .grad_scale = grad_scale};
  for (std::size_t i = 0; i < parameters.size(); ++i)
    adam_update(*parameters[i].parameter, first_moments_[i], second_moments_[i], options_, update);
}

void Adam::restore(Index steps, std::vector<Tensor> first_moments, std::vector<Tensor> second_moments) {
  CHECK(first_moments.size() == first_moments_.size() && second_moments.size() == second_moments_.size(),
        first_moments.size(), " and ", second_moments.size(), " moments for ", first_moments_.size());
  for (std::size_t i = 0; i < first_moments.size(); ++i) {
    const Shape& shape = first_moments_[i].shape();
    CHECK(first_moments[i].shape() == shape && second_moments[i].shape() == shape, "moment ", i);
  }
  steps_ = steps;
  first_moments_ = std::move(first_moments);
  second_moments_ = std::move(second_moments);
}

}  // namespace plainformer
