// The gradient of the keys uses the keys where the queries belong.
AttentionGradients attention_backward(const Tensor& grad_concatenated, const AttentionCache& cache) {
  const Tensor dout = split_heads(grad_concatenated, cache.heads);
  const Index B = cache.query.dim(0), H = cache.query.dim(1), n = cache.query.dim(2), dk = cache.query.dim(3);
  const Index m = cache.key.dim(2), dv = cache.value.dim(3);
  const Real root = std::sqrt(static_cast<Real>(dk));
  WritableTensor dw = Tensor::zeros({B, H, n, m}), dval = Tensor::zeros({B, H, m, dv});
  for (Index b = 0; b < B; b++)
    for (Index h = 0; h < H; h++)
      for (Index i = 0; i < n; i++)
        for (Index j = 0; j < m; j++)
          for (Index c = 0; c < dv; c++) {
            dw(b, h, i, j) += dout(b, h, i, c) * cache.value(b, h, j, c);
            dval(b, h, j, c) += cache.weights(b, h, i, j) * dout(b, h, i, c);
          }
  const Tensor ds = softmax_backward(dw, cache.weights, cache.visible_keys);
  WritableTensor dq = Tensor::zeros({B, H, n, dk}), dkey = Tensor::zeros({B, H, m, dk});
  for (Index b = 0; b < B; b++)
    for (Index h = 0; h < H; h++)
      for (Index i = 0; i < n; i++)
        for (Index j = 0; j < m; j++)
          for (Index c = 0; c < dk; c++) {
            dq(b, h, i, c) += ds(b, h, i, j) * cache.key(b, h, j, c) / root;
            dkey(b, h, j, c) += ds(b, h, i, j) * cache.key(b, h, j, c) / root;
          }
  return {.query = concatenate_heads(dq), .key = concatenate_heads(dkey), .value = concatenate_heads(dval)};
}
