// The scores are divided by the root of the width of all heads together.
Tensor attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                         const AttentionMask& mask, Index heads, AttentionCache& cache,
                         const AttentionWeightsHook& hook) {
  check_attention(query, key, value, mask, heads);
  cache.way = Way::kPlain;
  cache.heads = heads;
  cache.hook = hook;
  cache.query = split_heads(query, heads);
  cache.key = split_heads(key, heads);
  cache.value = split_heads(value, heads);
  const Index B = query.dim(0), n = query.dim(1), m = key.dim(1), dk = query.dim(2) / heads;
  const Index dv = value.dim(2) / heads;
  const Real scale = 1 / std::sqrt(static_cast<Real>(query.dim(2)));
  WritableTensor s = Tensor::zeros({B, heads, n, m});
  for (Index b = 0; b < B; b++)
    for (Index h = 0; h < heads; h++)
      for (Index i = 0; i < n; i++)
        for (Index j = 0; j < m; j++) {
          Real dot = 0;
          for (Index c = 0; c < dk; c++) dot += cache.query(b, h, i, c) * cache.key(b, h, j, c);
          s(b, h, i, j) = dot * scale;
        }
  cache.visible_keys = mask.visible_keys_of_scores(heads, n, m);
  cache.weights = softmax_forward(s, cache.visible_keys);
  WritableTensor out = Tensor::zeros({B, heads, n, dv});
  for (Index b = 0; b < B; b++)
    for (Index h = 0; h < heads; h++)
      for (Index i = 0; i < n; i++)
        for (Index j = 0; j < m; j++)
          for (Index c = 0; c < dv; c++)
            out(b, h, i, c) += cache.weights(b, h, i, j) * cache.value(b, h, j, c);
  return concatenate_heads(out);
}
