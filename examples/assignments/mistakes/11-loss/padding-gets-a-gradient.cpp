// Rows without a target get a gradient.
Tensor cross_entropy_backward(Real grad_loss, const Tensor& x, std::span<const int> targets,
                              double smoothing) {
  const Index rows = row_count(x), classes = x.dim(-1);
  check_targets(rows, classes, targets, smoothing);
  WritableTensor dx = Tensor::zeros(x.shape());
  for (Index r = 0; r < rows; r++) {
    const Real z = log_sum_exp_of_row(x, r);
    for (Index k = 0; k < classes; k++) {
      const Real p = std::exp(x(r, k) - z);
      Real q = smoothing / classes;
      if (k == targets[r]) q += 1 - smoothing;
      dx(r, k) = grad_loss * (p - q);
    }
  }
  return dx;
}
