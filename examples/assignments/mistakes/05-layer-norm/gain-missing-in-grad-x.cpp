// The gradient of x leaves out the gain.
Tensor layer_norm_backward(const Tensor& grad_y, const LayerNormCache& cache, Parameter& gain,
                           Parameter& bias) {
  const Index n = row_count(cache.x), d = cache.x.dim(-1);
  WritableTensor dx(cache.x.shape());
  const TensorWriter dg(gain.mutable_grad()), db(bias.mutable_grad());
  for (Index r = 0; r < n; r++) {
    Real a = 0, b = 0;
    const auto hat = [&](Index j) { return (cache.x(r, j) - cache.mean(r)) * cache.rstd(r); };
    for (Index j = 0; j < d; j++) {
      dg(j) += grad_y(r, j) * hat(j);
      db(j) += grad_y(r, j);
      a += grad_y(r, j);
      b += grad_y(r, j) * hat(j);
    }
    for (Index j = 0; j < d; j++)
      dx(r, j) = cache.rstd(r) * (grad_y(r, j) - a / d - hat(j) * b / d);
  }
  return dx;
}
