// Each average moves toward the new value, and the step is divided by both corrections.
void adam_update(Parameter& parameter, Tensor& first_moment, Tensor& second_moment, const AdamStep& step) {
  const TensorWriter value(parameter.value), m(first_moment), v(second_moment);
  for (Index i = 0; i < parameter.value.size(); ++i) {
    const Real g = parameter.grad(i) * step.grad_scale;
    m(i) += step.one_minus_beta_1 * (g - m(i));
    v(i) += step.one_minus_beta_2 * (g * g - v(i));
    const Real root = std::sqrt(v(i) / step.bias_correction_2);
    value(i) = value(i) - step.learning_rate / step.bias_correction_1 * m(i) / (root + step.epsilon);
  }
}
