// Logarithms in place of the division, and sums from the last entry on.
Tensor softmax_forward(const Tensor& x, std::span<const Index> visible_counts) {
  WritableTensor y = Tensor::zeros(x.shape());
  for (Index r = 0; r < row_count(x); ++r) {
    Real largest = -1e300, sum = 0;
    for (Index i = visible_counts[r] - 1; i >= 0; --i) largest = std::max(largest, x(r, i));
    for (Index i = visible_counts[r] - 1; i >= 0; --i) sum += std::exp(x(r, i) - largest);
    for (Index i = visible_counts[r] - 1; i >= 0; --i) y(r, i) = std::exp(x(r, i) - largest - std::log(sum));
  }
  return y;
}

Tensor softmax_backward(const Tensor& grad_y, const Tensor& y, std::span<const Index> visible_counts) {
  WritableTensor grad_x = Tensor::zeros(y.shape());
  for (Index r = 0; r < row_count(y); ++r) {
    Real mean = 0;
    for (Index i = visible_counts[r] - 1; i >= 0; --i) mean += y(r, i) * grad_y(r, i);
    for (Index i = visible_counts[r] - 1; i >= 0; --i) grad_x(r, i) = y(r, i) * grad_y(r, i) - y(r, i) * mean;
  }
  return grad_x;
}
