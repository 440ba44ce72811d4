// The gradient of the loss that comes from outside is not used.
Tensor cross_entropy_backward(Real grad_loss, const Tensor& x, std::span<const int> targets,
                              double smoothing) {
  const Index rows = row_count(x), classes = x.dim(-1);
  check_targets(rows, classes, targets, smoothing);
  WritableTensor g = Tensor::zeros(x.shape());
  for (Index r = 0; r < rows; r++) {
    if (targets[r] == kNoTarget) continue;
    const Real z = log_sum_exp_of_row(x, r);
    for (Index k = 0; k < classes; k++) {
      g(r, k) = std::exp(x(r, k) - z) - smoothing / classes;
      if (k == targets[r]) g(r, k) -= 1 - smoothing;
    }
  }
  return g;
}
