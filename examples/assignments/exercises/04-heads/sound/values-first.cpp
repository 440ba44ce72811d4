// The values come first, and the gradients are set one by one.
Tensor MultiHeadAttention::forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                   const AttentionMask& mask, Cache& cache) const {
  const Tensor v = linear_forward(value, w_v), k = linear_forward(key, w_k), q = linear_forward(query, w_q);
  cache.value_input = value;
  cache.key_input = key;
  cache.query_input = query;
  const Tensor heads = attend(q, k, v, mask, cache);
  cache.concat = heads;
  return linear_forward(heads, w_o);
}

MultiHeadAttention::InputGradients MultiHeadAttention::backward(const Tensor& grad_output,
                                                                const Cache& cache) {
  const Tensor grad_heads = linear_backward(grad_output, cache.concat, w_o);
  const AttentionGradients grad = attend_backward(grad_heads, cache);
  InputGradients result;
  result.value = linear_backward(grad.v, cache.value_input, w_v);
  result.key = linear_backward(grad.k, cache.key_input, w_k);
  result.query = linear_backward(grad.q, cache.query_input, w_q);
  return result;
}
