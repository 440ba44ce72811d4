// The sum of the exponentials is declared outside the loop over the rows and never set back to 0.
Tensor softmax_forward(const Tensor& x, std::span<const Index> visible_counts) {
  WritableTensor y = Tensor::zeros(x.shape());
  Real total = 0;
  for (Index r = 0; r < row_count(x); r++) {
    const Index n = visible_counts[r];
    Real m = -1e30;
    for (Index i = 0; i < n; i++) m = std::max(m, x(r, i));
    for (Index i = 0; i < n; i++) {
      y(r, i) = std::exp(x(r, i) - m);
      total += y(r, i);
    }
    for (Index i = 0; i < n; i++) y(r, i) = y(r, i) / total;
  }
  return y;
}
