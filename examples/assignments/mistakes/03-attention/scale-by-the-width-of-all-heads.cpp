// The scores are divided by the root of the width of all heads together.
Tensor attention_forward(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionMask& mask,
                         AttentionCache& cache) {
  const Index heads = q.dim(1), n = q.dim(2), m = k.dim(2), dk = q.dim(3), rows = q.dim(0) * heads * n;
  const Real root = std::sqrt(static_cast<Real>(heads * dk));
  cache = {.q = q, .k = k, .v = v, .visible_keys = mask.visible_keys_of_scores(heads, n, m)};
  WritableTensor s = Tensor::zeros({q.dim(0), heads, n, m});
  for (Index i = 0; i < rows; i++)
    for (Index j = 0; j < m; j++)
      for (Index c = 0; c < dk; c++) s(i, j) += q(i, c) * k(i / n * m + j, c) / root;
  cache.weights = softmax_forward(s, cache.visible_keys);
  WritableTensor out = Tensor::zeros({q.dim(0), heads, n, v.dim(3)});
  for (Index i = 0; i < rows; i++)
    for (Index j = 0; j < m; j++)
      for (Index c = 0; c < v.dim(3); c++) out(i, c) += cache.weights(i, j) * v(i / n * m + j, c);
  return out;
}
