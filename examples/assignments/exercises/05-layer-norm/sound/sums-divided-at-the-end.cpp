// Sums that are divided at the end, and the centered row in a vector.
#include <vector>

Tensor layer_norm_forward(const Tensor& x, const Parameter& gain, const Parameter& bias, Real epsilon,
                          LayerNormCache& cache) {
  const Index rows = row_count(x), d = x.dim(-1);
  const Real width = static_cast<Real>(d);
  WritableTensor y(x.shape()), mean({rows}), rstd({rows});
  for (Index r = 0; r < rows; ++r) {
    Real sum = 0, squares = 0;
    for (Index j = 0; j < d; ++j) sum += x(r, j);
    mean(r) = sum / width;
    for (Index j = 0; j < d; ++j) squares += std::pow(x(r, j) - mean(r), 2);
    const Real variance = squares / width;
    rstd(r) = 1 / std::sqrt(variance + epsilon);
    for (Index j = 0; j < d; ++j) y(r, j) = bias.value(j) + gain.value(j) * rstd(r) * (x(r, j) - mean(r));
  }
  cache.x = x;
  cache.mean = mean;
  cache.rstd = rstd;
  return y;
}

Tensor layer_norm_backward(const Tensor& grad_y, const LayerNormCache& cache, Parameter& gain,
                           Parameter& bias) {
  const Index rows = row_count(cache.x), d = cache.x.dim(-1);
  const Real width = static_cast<Real>(d);
  WritableTensor grad_x = Tensor::zeros(cache.x.shape());
  const TensorWriter grad_gain(gain.mutable_grad()), grad_bias(bias.mutable_grad());
  for (Index r = 0; r < rows; ++r) {
    std::vector<Real> hat(static_cast<std::size_t>(d)), g(static_cast<std::size_t>(d));
    Real sum = 0, dot = 0;
    for (Index j = 0; j < d; ++j) {
      hat[j] = (cache.x(r, j) - cache.mean(r)) * cache.rstd(r);
      g[j] = grad_y(r, j) * gain.value(j);
      sum += g[j];
      dot += g[j] * hat[j];
    }
    for (Index j = 0; j < d; ++j) {
      grad_gain(j) += grad_y(r, j) * hat[j];
      grad_bias(j) += grad_y(r, j);
      grad_x(r, j) = cache.rstd(r) / width * (width * g[j] - sum - hat[j] * dot);
    }
  }
  return grad_x;
}
