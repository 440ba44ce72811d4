// The row is taken for constant: the gradient is rstd times gain times grad_y.
Tensor layer_norm_backward(const Tensor& grad_y, const LayerNormCache& cache, Parameter& gain,
                           Parameter& bias) {
  const Index n = row_count(cache.x), d = cache.x.dim(-1);
  WritableTensor dx = Tensor::zeros(cache.x.shape());
  const TensorWriter dgain(gain.mutable_grad()), dbias(bias.mutable_grad());
  for (Index i = 0; i < n; i++) {
    Real mean = cache.mean(i), inv = cache.rstd(i), g_mean = 0, gx_mean = 0;
    const auto xhat = [&](Index j) { return (cache.x(i, j) - mean) * inv; };
    const auto g = [&](Index j) { return grad_y(i, j) * gain.value(j); };
    for (Index j = 0; j < d; j++) {
      g_mean += g(j) / d;
      gx_mean += g(j) * xhat(j) / d;
      dgain(j) += grad_y(i, j) * xhat(j);
      dbias(j) += grad_y(i, j);
    }
    for (Index j = 0; j < d; j++) dx(i, j) = inv * g(j);
  }
  return dx;
}
