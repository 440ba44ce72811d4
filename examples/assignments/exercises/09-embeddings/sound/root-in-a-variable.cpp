// The root stands in a variable, and nothing is named between the calls.
Tensor embedding_forward(const TokenBatch& tokens, const Parameter& table) {
  const Index d_model = table.value.dim(1);
  const Real root = std::sqrt(static_cast<Real>(d_model));
  return scale(embedding_lookup_forward(tokens.ids, table), root)
      .reshaped({tokens.batch, tokens.len, d_model});
}

void embedding_backward(Tensor grad_output, const TokenBatch& tokens, Parameter& table) {
  const Real root = std::sqrt(static_cast<Real>(table.value.dim(1)));
  embedding_lookup_backward(scale(std::move(grad_output), root), tokens.ids, table);
}
