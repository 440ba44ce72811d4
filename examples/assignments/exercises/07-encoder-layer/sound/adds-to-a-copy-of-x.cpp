// What is kept of the sub-layer's output is added to a copy of x.
Tensor ResidualLayerNorm::forward(const Tensor& x, Tensor sublayer_output, const DropoutState& dropout,
                                  Cache& cache) const {
  cache.dropout = dropout;
  const Tensor kept = dropout_forward(std::move(sublayer_output), dropout.probability, dropout.stream(site_));
  Tensor sum = x;
  sum = add(std::move(sum), kept);
  return layer_norm_forward(sum, gain, bias, epsilon_, cache.norm);
}

ResidualLayerNorm::InputGradients ResidualLayerNorm::backward(const Tensor& grad_output, const Cache& cache) {
  InputGradients grad;
  grad.x = layer_norm_backward(grad_output, cache.norm, gain, bias);
  grad.sublayer_output = dropout_backward(grad.x, cache.dropout.probability, cache.dropout.stream(site_));
  return grad;
}
