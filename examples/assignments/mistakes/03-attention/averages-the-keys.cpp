// The weights average the keys, not the values.
Tensor attention_forward(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionMask& mask,
                         AttentionCache& cache) {
  const Index heads = q.dim(1);
  cache.q = q;
  cache.k = k;
  cache.v = v;
  cache.visible_keys = mask.visible_keys_of_scores(heads, q.dim(2), k.dim(2));
  const Index B = q.dim(0), n = q.dim(2), m = k.dim(2);
  const Index dk = cache.q.dim(3), dv = cache.v.dim(3);
  const Real root = std::sqrt(static_cast<Real>(dk));
  WritableTensor s = Tensor::zeros({B, heads, n, m});
  for (Index b = 0; b < B; b++)
    for (Index h = 0; h < heads; h++)
      for (Index i = 0; i < n; i++)
        for (Index j = 0; j < m; j++) {
          Real dot = 0;
          for (Index c = 0; c < dk; c++) dot += cache.q(b, h, i, c) * cache.k(b, h, j, c);
          s(b, h, i, j) = dot / root;
        }
  const Tensor w = softmax_forward(s, cache.visible_keys);
  cache.weights = w;
  WritableTensor out = Tensor::zeros({B, heads, n, dv});
  for (Index b = 0; b < B; b++)
    for (Index h = 0; h < heads; h++)
      for (Index i = 0; i < n; i++)
        for (Index j = 0; j < m; j++)
          for (Index c = 0; c < dv; c++) out(b, h, i, c) += w(b, h, i, j) * cache.k(b, h, j, c % dk);
  return out;
}
