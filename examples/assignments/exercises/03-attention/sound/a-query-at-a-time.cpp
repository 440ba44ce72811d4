// One query at a time, with its scores in a vector, and the scale in the query.
#include <vector>

Tensor attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                         const AttentionMask& mask, Index heads, AttentionCache& cache,
                         const AttentionWeightsHook& hook) {
  check_attention(query, key, value, mask, heads);
  const Tensor q = split_heads(query, heads), k = split_heads(key, heads), v = split_heads(value, heads);
  const Index rows = q.dim(0) * heads * q.dim(2), keys = k.dim(2), width = q.dim(3);
  const Real scale = 1 / std::sqrt(static_cast<Real>(width));
  WritableTensor scores = Tensor::zeros({q.dim(0), heads, q.dim(2), keys});
  for (Index row = 0; row < rows; ++row) {
    const Index first = row / q.dim(2) * keys;
    for (Index j = 0; j < keys; ++j) {
      Real dot = 0;
      for (Index p = width - 1; p >= 0; --p) dot += scale * q(row, p) * k(first + j, p);
      scores(row, j) = dot;
    }
  }
  cache.way = Way::kPlain;
  cache.heads = heads;
  cache.hook = hook;
  cache.visible_keys = mask.visible_keys_of_scores(heads, q.dim(2), keys);
  cache.weights = softmax_forward(scores, cache.visible_keys);
  cache.query = q;
  cache.key = k;
  cache.value = v;
  const Tensor weights = hook ? hook.forward(cache.weights) : cache.weights;
  WritableTensor output = Tensor::zeros({q.dim(0), heads, q.dim(2), v.dim(3)});
  for (Index row = 0; row < rows; ++row) {
    const Index first = row / q.dim(2) * keys;
    for (Index p = 0; p < v.dim(3); ++p) {
      for (Index j = keys - 1; j >= 0; --j) output(row, p) += weights(row, j) * v(first + j, p);
    }
  }
  return concatenate_heads(output);
}

AttentionGradients attention_backward(const Tensor& grad_concatenated, const AttentionCache& cache) {
  const Tensor grad = split_heads(grad_concatenated, cache.heads);
  const Tensor &q = cache.query, &k = cache.key, &v = cache.value;
  const Index queries = q.dim(2), keys = k.dim(2), rows = q.dim(0) * q.dim(1) * queries;
  const Real root = std::sqrt(static_cast<Real>(q.dim(3)));
  const Tensor weights = cache.hook ? cache.hook.forward(cache.weights) : cache.weights;
  WritableTensor grad_q = Tensor::zeros(q.shape()), grad_k = Tensor::zeros(k.shape());
  WritableTensor grad_v = Tensor::zeros(v.shape()), grad_w = Tensor::zeros(weights.shape());
  for (Index row = 0; row < rows; ++row) {
    const Index first = row / queries * keys;
    for (Index j = 0; j < keys; ++j) {
      for (Index p = 0; p < v.dim(3); ++p) grad_w(row, j) += v(first + j, p) * grad(row, p);
      for (Index p = 0; p < v.dim(3); ++p) grad_v(first + j, p) += grad(row, p) * weights(row, j);
    }
  }
  const Tensor grad_p = cache.hook ? cache.hook.backward(grad_w, cache.weights) : grad_w;
  const Tensor grad_s = softmax_backward(grad_p, cache.weights, cache.visible_keys);
  for (Index row = 0; row < rows; ++row) {
    const Index first = row / queries * keys;
    for (Index j = 0; j < keys; ++j) {
      for (Index p = 0; p < q.dim(3); ++p) grad_q(row, p) += k(first + j, p) / root * grad_s(row, j);
      for (Index p = 0; p < q.dim(3); ++p) grad_k(first + j, p) += q(row, p) / root * grad_s(row, j);
    }
  }
  AttentionGradients gradients;
  gradients.query = concatenate_heads(grad_q);
  gradients.key = concatenate_heads(grad_k);
  gradients.value = concatenate_heads(grad_v);
  return gradients;
}
