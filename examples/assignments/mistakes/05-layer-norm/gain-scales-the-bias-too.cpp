// The gain multiplies the sum of the normalized value and the bias.
Tensor layer_norm_forward(const Tensor& x, const Parameter& gain, const Parameter& bias, Real epsilon,
                          LayerNormCache& cache) {
  const Index n = row_count(x), d = x.dim(-1);
  WritableTensor y = Tensor::zeros(x.shape()), mu = Tensor::zeros({n}), inv = Tensor::zeros({n});
  for (Index i = 0; i < n; i++) {
    Real sum = 0;
    for (Index j = 0; j < d; j++) sum += x(i, j);
    const Real mean = sum / d;
    Real squares = 0;
    for (Index j = 0; j < d; j++) squares += (x(i, j) - mean) * (x(i, j) - mean);
    const Real var = squares / d;
    mu(i) = mean;
    inv(i) = 1 / std::sqrt(var + epsilon);
    for (Index j = 0; j < d; j++) y(i, j) = ((x(i, j) - mean) * inv(i) + bias.value(j)) * gain.value(j);
  }
  cache = {.x = x, .mean = mu, .rstd = inv};
  return y;
}
