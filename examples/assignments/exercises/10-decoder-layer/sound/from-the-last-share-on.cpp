// The shares of a gradient are added from the last one on.
Tensor DecoderLayer::forward(const Tensor& x, const Tensor& memory, const AttentionMask& target_mask,
                             const AttentionMask& source_mask, const DropoutState& dropout,
                             Cache& cache) const {
  const Tensor attended = self_attention.forward(x, x, x, target_mask, cache.self_attention);
  const Tensor y = self_attention_norm.forward(x, attended, dropout, cache.self_attention_norm);
  const Tensor looked_up =
      encoder_decoder_attention.forward(y, memory, memory, source_mask, cache.encoder_decoder_attention);
  const Tensor z =
      encoder_decoder_attention_norm.forward(y, looked_up, dropout, cache.encoder_decoder_attention_norm);
  const Tensor hidden = feed_forward.forward(z, cache.feed_forward);
  return feed_forward_norm.forward(z, hidden, dropout, cache.feed_forward_norm);
}

DecoderLayer::InputGradients DecoderLayer::backward(const Tensor& grad_output, const Cache& cache) {
  const auto third = feed_forward_norm.backward(grad_output, cache.feed_forward_norm);
  const Tensor grad_z = add(feed_forward.backward(third.sublayer_output, cache.feed_forward), third.x);
  const auto second = encoder_decoder_attention_norm.backward(grad_z, cache.encoder_decoder_attention_norm);
  const auto cross =
      encoder_decoder_attention.backward(second.sublayer_output, cache.encoder_decoder_attention);
  const Tensor grad_y = add(cross.query, second.x);
  const auto first = self_attention_norm.backward(grad_y, cache.self_attention_norm);
  const auto self = self_attention.backward(first.sublayer_output, cache.self_attention);
  InputGradients grad;
  grad.x = add(add(add(self.value, self.key), self.query), first.x);
  grad.memory = add(cross.value, cross.key);
  return grad;
}
