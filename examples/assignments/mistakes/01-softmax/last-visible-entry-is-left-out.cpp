// The loops end one entry too early.
Tensor softmax_forward(const Tensor& x, std::span<const Index> visible_counts) {
  const Index rows = row_count(x);
  WritableTensor y = Tensor::zeros(x.shape());
  for (Index r = 0; r < rows; ++r) {
    const Index n = visible_counts[r] - 1;
    if (n <= 0) continue;
    Real biggest = x(r, 0);
    for (Index i = 1; i < n; ++i)
      if (x(r, i) > biggest) biggest = x(r, i);
    Real s = 0;
    for (Index i = 0; i < n; ++i) s += std::exp(x(r, i) - biggest);
    for (Index i = 0; i < n; ++i) y(r, i) = std::exp(x(r, i) - biggest) / s;
  }
  return y;
}
