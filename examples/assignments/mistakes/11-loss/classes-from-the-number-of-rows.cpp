// The smoothing is divided by the number of rows.
CrossEntropy cross_entropy_forward(const Tensor& x, std::span<const int> targets, double smoothing) {
  const Index rows = row_count(x), classes = x.dim(-1);
  check_targets(rows, classes, targets, smoothing);
  CrossEntropy result;
  for (Index r = 0; r < rows; r++) {
    if (targets[r] == kNoTarget) continue;
    const double z = log_sum_exp_of_row(x, r);
    for (Index k = 0; k < classes; k++) {
      double q = smoothing / rows;
      if (k == targets[r]) q += 1 - smoothing;
      result.loss -= q * (x(r, k) - z);
    }
    result.log_probability += x(r, targets[r]) - z;
    result.rows++;
  }
  return result;
}
