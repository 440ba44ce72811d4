#include "training/adam.h"

#include <cmath>

#include "core/check.h"

namespace plainformer {

AdamStep adam_step(const AdamOptions& options, double t, double learning_rate, double grad_scale) {
  const auto real = [](double number) { return static_cast<Real>(number); };
  return {.learning_rate = real(learning_rate),
          .beta_1 = real(options.beta_1),
          .beta_2 = real(options.beta_2),
          .epsilon = real(options.epsilon),
          .one_minus_beta_1 = real(1 - options.beta_1),
          .one_minus_beta_2 = real(1 - options.beta_2),
          .bias_correction_1 = real(1 - std::pow(options.beta_1, t)),
          .bias_correction_2 = real(1 - std::pow(options.beta_2, t)),
          .grad_scale = real(grad_scale)};
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
  const AdamStep step = adam_step(options_, static_cast<double>(steps_), learning_rate, grad_scale);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    adam_update(*parameters[i].parameter, first_moments_[i], second_moments_[i], step);
}

void Adam::restore(Index steps, std::vector<Tensor> first_moments, std::vector<Tensor> second_moments) {
  CHECK(first_moments.size() == first_moments_.size() && second_moments.size() == second_moments_.size(),
        first_moments.size(), " and ", second_moments.size(), " moments for ", first_moments_.size());
  for (std::size_t i = 0; i < first_moments.size(); ++i) {
    CHECK(first_moments[i].shape() == first_moments_[i].shape(), "moment ", i);
    CHECK(second_moments[i].shape() == second_moments_[i].shape(), "moment ", i);
  }
  steps_ = steps;
  first_moments_ = std::move(first_moments);
  second_moments_ = std::move(second_moments);
}

}  // namespace plainformer
