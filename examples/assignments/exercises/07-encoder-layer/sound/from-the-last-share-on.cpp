// The shares of a gradient are added from the last one on.
Tensor EncoderLayer::forward(const Tensor& x, const AttentionMask& source_mask, const DropoutState& dropout,
                             Cache& cache) const {
  const Tensor attended = self_attention.forward(x, x, x, source_mask, cache.self_attention);
  const Tensor y = self_attention_norm.forward(x, attended, dropout, cache.self_attention_norm);
  const Tensor hidden = feed_forward.forward(y, cache.feed_forward);
  return feed_forward_norm.forward(y, hidden, dropout, cache.feed_forward_norm);
}

Tensor EncoderLayer::backward(const Tensor& grad_output, const Cache& cache) {
  const auto after = feed_forward_norm.backward(grad_output, cache.feed_forward_norm);
  const Tensor grad_y = add(feed_forward.backward(after.sublayer_output, cache.feed_forward), after.x);
  const auto before = self_attention_norm.backward(grad_y, cache.self_attention_norm);
  const auto grad = self_attention.backward(before.sublayer_output, cache.self_attention);
  Tensor sum = add(grad.value, grad.key);
  sum = add(std::move(sum), grad.query);
  return add(std::move(sum), before.x);
}
