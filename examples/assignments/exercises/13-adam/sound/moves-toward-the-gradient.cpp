// Each average moves toward the new value, and the step is divided by both corrections.
void adam_update(Parameter& parameter, Tensor& first_moment, Tensor& second_moment,
                 const AdamOptions& options, const AdamUpdate& step) {
  const auto real = [](double number) { return static_cast<Real>(number); };
  const Real correction_1 = real(1 - std::pow(options.beta_1, step.t));
  const Real correction_2 = real(1 - std::pow(options.beta_2, step.t));
  const TensorWriter value(parameter.value), m(first_moment), v(second_moment);
  for (Index i = 0; i < parameter.value.size(); ++i) {
    const Real g = parameter.grad(i) * real(step.grad_scale);
    m(i) += real(1 - options.beta_1) * (g - m(i));
    v(i) += real(1 - options.beta_2) * (g * g - v(i));
    const Real root = std::sqrt(v(i) / correction_2);
    value(i) = value(i) - real(step.learning_rate) / correction_1 * m(i) / (root + real(options.epsilon));
  }
}
