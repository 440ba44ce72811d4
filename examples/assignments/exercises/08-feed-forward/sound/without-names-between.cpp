// Each call stands within the next one, and the cache is filled at once.
Tensor FeedForward::forward(const Tensor& x, Cache& cache) const {
  cache = {.x = x, .hidden = relu_forward(linear_bias_forward(x, w_1, b_1))};
  return linear_bias_forward(cache.hidden, w_2, b_2);
}

Tensor FeedForward::backward(const Tensor& grad_output, const Cache& cache) {
  return linear_bias_backward(
      relu_backward(linear_bias_backward(grad_output, cache.hidden, w_2, b_2), cache.hidden), cache.x, w_1,
      b_1);
}
