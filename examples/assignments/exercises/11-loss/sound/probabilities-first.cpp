// The loss in two sums, that of the target and that of all classes, and the probabilities before the gradient.
CrossEntropy cross_entropy_forward(const Tensor& x, std::span<const int> targets, double smoothing) {
  const Index rows = row_count(x), classes = x.dim(-1);
  check_targets(rows, classes, targets, smoothing);
  CrossEntropy result;
  for (Index r = 0; r < rows; ++r) {
    if (targets[r] == kNoTarget) continue;
    const double z = log_sum_exp_of_row(x, r);
    double of_all = 0;
    for (Index k = 0; k < classes; ++k) of_all += z - x(r, k);
    const double of_target = z - x(r, targets[r]);
    result.loss += (1 - smoothing) * of_target + smoothing / classes * of_all;
    result.log_probability -= of_target;
    ++result.rows;
  }
  return result;
}

Tensor cross_entropy_backward(Real grad_loss, const Tensor& x, std::span<const int> targets,
                              double smoothing) {
  const Index rows = row_count(x), classes = x.dim(-1);
  check_targets(rows, classes, targets, smoothing);
  WritableTensor grad_x = Tensor::zeros(x.shape());
  for (Index r = 0; r < rows; ++r) {
    if (targets[r] == kNoTarget) continue;
    const Real z = log_sum_exp_of_row(x, r);
    for (Index k = 0; k < classes; ++k) {
      const Real p = std::exp(x(r, k) - z);
      grad_x(r, k) = grad_loss * (p - smoothing / classes);
    }
    grad_x(r, targets[r]) -= grad_loss * (1 - smoothing);
  }
  return grad_x;
}
