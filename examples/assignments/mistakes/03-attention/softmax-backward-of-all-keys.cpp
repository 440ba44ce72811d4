// The backward pass of the softmax runs over all keys.
AttentionGradients attention_backward(const Tensor& grad_output, const AttentionCache& cache) {
  const Tensor& dout = grad_output;
  const Index B = cache.q.dim(0), H = cache.q.dim(1), n = cache.q.dim(2), dk = cache.q.dim(3);
  const Index m = cache.k.dim(2), dv = cache.v.dim(3);
  const Real root = std::sqrt(static_cast<Real>(dk));
  WritableTensor dw = Tensor::zeros({B, H, n, m}), dval = Tensor::zeros({B, H, m, dv});
  for (Index b = 0; b < B; b++)
    for (Index h = 0; h < H; h++)
      for (Index i = 0; i < n; i++)
        for (Index j = 0; j < m; j++)
          for (Index c = 0; c < dv; c++) {
            dw(b, h, i, j) += dout(b, h, i, c) * cache.v(b, h, j, c);
            dval(b, h, j, c) += cache.weights(b, h, i, j) * dout(b, h, i, c);
          }
  const Tensor ds = softmax_backward(dw, dw, std::vector<Index>(B * H * n, m));
  WritableTensor dq = Tensor::zeros({B, H, n, dk}), dkey = Tensor::zeros({B, H, m, dk});
  for (Index b = 0; b < B; b++)
    for (Index h = 0; h < H; h++)
      for (Index i = 0; i < n; i++)
        for (Index j = 0; j < m; j++)
          for (Index c = 0; c < dk; c++) {
            dq(b, h, i, c) += ds(b, h, i, j) * cache.k(b, h, j, c) / root;
            dkey(b, h, j, c) += ds(b, h, i, j) * cache.q(b, h, i, c) / root;
          }
  return {.q = dq, .k = dkey, .v = dval};
}
