// The last term of the bracket has the wrong sign.
Tensor layer_norm_backward(const Tensor& grad_y, const LayerNormCache& cache, Parameter& gain,
                           Parameter& bias) {
  const Index n = row_count(cache.x), d = cache.x.dim(-1);
  WritableTensor dx = Tensor::zeros(cache.x.shape());
  const TensorWriter dgain(gain.mutable_grad()), dbias(bias.mutable_grad());
  for (Index i = 0; i < n; i++) {
    const Real mean = cache.mean(i), inv = cache.rstd(i);
    Real g_mean = 0, gx_mean = 0;
    for (Index j = 0; j < d; j++) {
      const Real xhat = (cache.x(i, j) - mean) * inv;
      const Real g = grad_y(i, j) * gain.value(j);
      g_mean += g / d;
      gx_mean += g * xhat / d;
      dgain(j) += grad_y(i, j) * xhat;
      dbias(j) += grad_y(i, j);
    }
    for (Index j = 0; j < d; j++) {
      const Real xhat = (cache.x(i, j) - mean) * inv;
      const Real g = grad_y(i, j) * gain.value(j);
      dx(i, j) = inv * (g - g_mean + xhat * gx_mean);
    }
  }
  return dx;
}
