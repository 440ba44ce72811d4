// One query at a time, with its scores in a vector, and the scale in the query.
#include <vector>

Tensor attention_forward(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionMask& mask,
                         AttentionCache& cache) {
  const Index heads = q.dim(1);
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
  cache.visible_keys = mask.visible_keys_of_scores(heads, q.dim(2), keys);
  cache.weights = softmax_forward(scores, cache.visible_keys);
  cache.q = q;
  cache.k = k;
  cache.v = v;
  const Tensor& weights = cache.weights;
  WritableTensor output = Tensor::zeros({q.dim(0), heads, q.dim(2), v.dim(3)});
  for (Index row = 0; row < rows; ++row) {
    const Index first = row / q.dim(2) * keys;
    for (Index p = 0; p < v.dim(3); ++p) {
      for (Index j = keys - 1; j >= 0; --j) output(row, p) += weights(row, j) * v(first + j, p);
    }
  }
  return output;
}

AttentionGradients attention_backward(const Tensor& grad_output, const AttentionCache& cache) {
  const Tensor& grad = grad_output;
  const Tensor &q = cache.q, &k = cache.k, &v = cache.v;
  const Index queries = q.dim(2), keys = k.dim(2), rows = q.dim(0) * q.dim(1) * queries;
  const Real root = std::sqrt(static_cast<Real>(q.dim(3)));
  const Tensor& weights = cache.weights;
  WritableTensor grad_q = Tensor::zeros(q.shape()), grad_k = Tensor::zeros(k.shape());
  WritableTensor grad_v = Tensor::zeros(v.shape()), grad_w = Tensor::zeros(weights.shape());
  for (Index row = 0; row < rows; ++row) {
    const Index first = row / queries * keys;
    for (Index j = 0; j < keys; ++j) {
      for (Index p = 0; p < v.dim(3); ++p) grad_w(row, j) += v(first + j, p) * grad(row, p);
      for (Index p = 0; p < v.dim(3); ++p) grad_v(first + j, p) += grad(row, p) * weights(row, j);
    }
  }
  const Tensor grad_s = softmax_backward(grad_w, cache.weights, cache.visible_keys);
  for (Index row = 0; row < rows; ++row) {
    const Index first = row / queries * keys;
    for (Index j = 0; j < keys; ++j) {
      for (Index p = 0; p < q.dim(3); ++p) grad_q(row, p) += k(first + j, p) / root * grad_s(row, j);
      for (Index p = 0; p < q.dim(3); ++p) grad_k(first + j, p) += q(row, p) / root * grad_s(row, j);
    }
  }
  AttentionGradients gradients;
  gradients.q = grad_q;
  gradients.k = grad_k;
  gradients.v = grad_v;
  return gradients;
}
