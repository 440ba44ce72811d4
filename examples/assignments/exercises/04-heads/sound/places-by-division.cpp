// One loop over all numbers, whose places are computed by division.
Tensor split_heads(const Tensor& x, Index heads) {
  const Index len = x.dim(1), d_k = x.dim(2) / heads;
  WritableTensor head({x.dim(0), heads, len, d_k});
  for (Index e = 0; e < x.size(); ++e) {
    const Index p = e % d_k, h = e / d_k % heads, row = e / (d_k * heads);
    head(row / len, h, row % len, p) = x(row, h * d_k + p);
  }
  return head;
}

Tensor concatenate_heads(const Tensor& head) {
  const Index heads = head.dim(1), len = head.dim(2), d_v = head.dim(3);
  WritableTensor concat({head.dim(0), len, heads * d_v});
  for (Index e = 0; e < concat.size(); ++e) {
    const Index column = e % (heads * d_v), row = e / (heads * d_v);
    concat(e) = head(row / len, column / d_v, row % len, column % d_v);
  }
  return concat;
}
