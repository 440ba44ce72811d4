// The numbers of the table are counted as one row, and the ids are gone through one by one.
Tensor embedding_lookup_forward(std::span<const int> ids, const Parameter& table) {
  const Index d = table.value.dim(1);
  WritableTensor y({std::ssize(ids), d});
  for (Index e = 0; e < y.size(); ++e) y(e) = table.value(ids[e / d] * d + e % d);
  return y;
}

void embedding_lookup_backward(const Tensor& grad_y, std::span<const int> ids, Parameter& table) {
  const Index d = table.value.dim(1);
  const TensorWriter grad_table(table.mutable_grad());
  Index row = 0;
  for (const int id : ids) {
    for (Index j = 0; j < d; ++j) grad_table(Index{id}, j) += grad_y(row, j);
    ++row;
  }
}
