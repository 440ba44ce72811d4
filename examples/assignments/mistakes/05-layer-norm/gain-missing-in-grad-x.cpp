// The gradient of x leaves out the gain.
Tensor layer_norm_backward(const Tensor& grad_y, const LayerNormCache& cache, Parameter& gain,
                           Parameter& bias) {
  const Index n = row_count(cache.x), d = cache.x.dim(-1);
  WritableTensor dx(cache.x.shape());
  const TensorWriter dg(gain.mutable_grad()), db(bias.mutable_grad());
  for (Index r = 0; r < n; r++) {
    Real a = 0, b = 0;
    for (Index j = 0; j < d; j++) {
      const Real hat = (cache.x(r, j) - cache.mean(r)) * cache.rstd(r);
      dg(j) += grad_y(r, j) * hat;
      db(j) += grad_y(r, j);
      a += grad_y(r, j);
      b += grad_y(r, j) * hat;
    }
    for (Index j = 0; j < d; j++) {
      const Real hat = (cache.x(r, j) - cache.mean(r)) * cache.rstd(r);
      dx(r, j) = cache.rstd(r) * (grad_y(r, j) - a / d - hat * b / d);
    }
  }
  return dx;
}
