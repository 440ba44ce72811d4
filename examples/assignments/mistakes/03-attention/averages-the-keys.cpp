// The weights average the keys, not the values.
Tensor attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                         const AttentionMask& mask, Index heads, AttentionCache& cache,
                         const AttentionWeightsHook&) {
  cache.way = Way::kPlain;
  cache.heads = heads;
  cache.query = split_heads(query, heads);
  cache.key = split_heads(key, heads);
  cache.value = split_heads(value, heads);
  cache.visible_keys = mask.visible_keys_of_scores(heads, query.dim(1), key.dim(1));
  const Index B = query.dim(0), n = query.dim(1), m = key.dim(1);
  const Index dk = cache.query.dim(3), dv = cache.value.dim(3);
  const Real root = std::sqrt(static_cast<Real>(dk));
  WritableTensor s = Tensor::zeros({B, heads, n, m});
  for (Index b = 0; b < B; b++)
    for (Index h = 0; h < heads; h++)
      for (Index i = 0; i < n; i++)
        for (Index j = 0; j < m; j++) {
          Real dot = 0;
          for (Index c = 0; c < dk; c++) dot += cache.query(b, h, i, c) * cache.key(b, h, j, c);
          s(b, h, i, j) = dot / root;
        }
  const Tensor w = softmax_forward(s, cache.visible_keys);
  cache.weights = w;
  WritableTensor out = Tensor::zeros({B, heads, n, dv});
  for (Index b = 0; b < B; b++)
    for (Index h = 0; h < heads; h++)
      for (Index i = 0; i < n; i++)
        for (Index j = 0; j < m; j++)
          for (Index c = 0; c < dv; c++) out(b, h, i, c) += w(b, h, i, j) * cache.key(b, h, j, c % dk);
  return concatenate_heads(out);
}
