// The sum of the gradients is subtracted without their weights y.
Tensor softmax_backward(const Tensor& grad_y, const Tensor& y, std::span<const Index> visible_counts) {
  WritableTensor dx = Tensor::zeros(y.shape());
  for (Index r = 0; r < row_count(y); ++r) {
    const Index n = visible_counts[r];
    for (Index i = 0; i < n; ++i) {
      Real dot = 0;
      for (Index j = 0; j < n; ++j) dot += grad_y(r, j);
      dx(r, i) = y(r, i) * (grad_y(r, i) - dot);
    }
  }
  return dx;
}
