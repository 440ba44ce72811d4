#include "transformer/encoder.h"

#include "core/check.h"
#include "ops/elementwise.h"

namespace plainformer {

EncoderLayer::EncoderLayer(const ModelConfig& config, int first_site)
    : self_attention(config.d_model, config.heads, config.head_d_k(), config.head_d_v()),
      self_attention_norm(config.d_model, config.layer_norm_epsilon, first_site),
      feed_forward(config.d_model, config.d_ff),
      feed_forward_norm(config.d_model, config.layer_norm_epsilon, first_site + 1) {}

Tensor EncoderLayer::forward(const Tensor& x, const AttentionMask& source_mask, const DropoutState& dropout,
                             Cache& cache) const {
  // Step 1. Self-attention: y = LayerNorm(x + Dropout(MultiHead(x, x, x))). Every position of the source
  // looks at all of them.
  Tensor attended = self_attention.forward(x, x, x, source_mask, cache.self_attention);
  const Tensor y = self_attention_norm.forward(x, std::move(attended), dropout, cache.self_attention_norm);

  // Step 2. Feed-forward: output = LayerNorm(y + Dropout(FFN(y))). Every position by itself.
  Tensor transformed = feed_forward.forward(y, cache.feed_forward);
  return feed_forward_norm.forward(y, std::move(transformed), dropout, cache.feed_forward_norm);
}

Tensor EncoderLayer::backward(const Tensor& grad_output, const Cache& cache) {
  // Step 2 was: output = LayerNorm(y + Dropout(FFN(y))). y was used twice, so two gradients add up.
  auto [grad_y, grad_transformed] = feed_forward_norm.backward(grad_output, cache.feed_forward_norm);
  grad_y = add(std::move(grad_y), feed_forward.backward(grad_transformed, cache.feed_forward));

  // Step 1 was: y = LayerNorm(x + Dropout(MultiHead(x, x, x))). x was used four times, so four gradients
  // add up.
  auto [grad_x, grad_attended] = self_attention_norm.backward(grad_y, cache.self_attention_norm);
  const auto grad_self = self_attention.backward(grad_attended, cache.self_attention);
  grad_x = add(std::move(grad_x), grad_self.query);
  grad_x = add(std::move(grad_x), grad_self.key);
  return add(std::move(grad_x), grad_self.value);
}

void EncoderLayer::append_parameters(const std::string& prefix, ParameterList& list) {
  self_attention.append_parameters(prefix + ".self_attention", list);
  self_attention_norm.append_parameters(prefix + ".self_attention_norm", list);
  feed_forward.append_parameters(prefix + ".feed_forward", list);
  feed_forward_norm.append_parameters(prefix + ".feed_forward_norm", list);
}

Encoder::Encoder(const ModelConfig& config, int first_site) {
  for (Index i = 0; i < config.encoder_layers; ++i) {
    layers.emplace_back(config, first_site + static_cast<int>(i) * EncoderLayer::kDropoutSites);
  }
}

Tensor Encoder::forward(const Tensor& x, const AttentionMask& source_mask, const DropoutState& dropout,
                        Cache& cache) const {
  cache.layers.resize(layers.size());
  Tensor hidden = x;
  for (std::size_t i = 0; i < layers.size(); ++i)
    hidden = layers[i].forward(hidden, source_mask, dropout, cache.layers[i]);
  return hidden;
}

Tensor Encoder::forward(const Tensor& x, const AttentionMask& source_mask) const {
  Tensor hidden = x;
  for (const EncoderLayer& layer : layers) {
    EncoderLayer::Cache not_kept;
    hidden = layer.forward(hidden, source_mask, DropoutState{}, not_kept);
  }
  return hidden;
}

Tensor Encoder::backward(const Tensor& grad_memory, const Cache& cache) {
  CHECK(cache.layers.size() == layers.size(), "a cache of ", cache.layers.size(), " layers for ",
        layers.size());
  Tensor grad_hidden = grad_memory;
  for (std::size_t i = layers.size(); i-- > 0;)
    grad_hidden = layers[i].backward(grad_hidden, cache.layers[i]);
  return grad_hidden;
}

void Encoder::append_parameters(const std::string& prefix, ParameterList& list) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    layers[i].append_parameters(prefix + "." + std::to_string(i), list);
  }
}

}  // namespace plainformer
