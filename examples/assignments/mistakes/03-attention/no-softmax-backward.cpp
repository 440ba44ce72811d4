// The gradient of the weights is taken for that of the scores.
AttentionGradients attention_backward(const Tensor& grad_output, const AttentionCache& cache) {
  const Tensor &q = cache.q, &k = cache.k, &v = cache.v, &w = cache.weights;
  const Index n = q.dim(2), m = k.dim(2);
  const Real root = std::sqrt(static_cast<Real>(q.dim(3)));
  WritableTensor dq = Tensor::zeros(q.shape()), dk = Tensor::zeros(k.shape());
  WritableTensor dv = Tensor::zeros(v.shape()), dw = Tensor::zeros(w.shape());
  for (Index pair = 0; pair < w.size(); pair++) {
    const Index i = pair / m, j = i / n * m + pair % m;
    for (Index c = 0; c < v.dim(3); c++) dw(pair) += grad_output(i, c) * v(j, c);
    for (Index c = 0; c < v.dim(3); c++) dv(j, c) += w(pair) * grad_output(i, c);
  }
  const Tensor ds = dw;
  for (Index pair = 0; pair < w.size(); pair++) {
    const Index i = pair / m, j = i / n * m + pair % m;
    for (Index c = 0; c < q.dim(3); c++) dq(i, c) += ds(pair) * k(j, c) / root;
    for (Index c = 0; c < q.dim(3); c++) dk(j, c) += ds(pair) * q(i, c) / root;
  }
  return {.q = dq, .k = dk, .v = dv};
}
