#include "transformer/decoder.h"

#include "core/check.h"
#include "ops/elementwise.h"

namespace plainformer {

DecoderLayer::DecoderLayer(const ModelConfig& config, int first_site)
    : self_attention(config.d_model, config.heads, config.head_d_k(), config.head_d_v()),
      self_attention_norm(config.d_model, config.layer_norm_epsilon, first_site),
      encoder_decoder_attention(config.d_model, config.heads, config.head_d_k(), config.head_d_v()),
      encoder_decoder_attention_norm(config.d_model, config.layer_norm_epsilon, first_site + 1),
      feed_forward(config.d_model, config.d_ff),
      feed_forward_norm(config.d_model, config.layer_norm_epsilon, first_site + 2) {}

Tensor DecoderLayer::forward(const Tensor& x, const Tensor& memory, const AttentionMask& target_mask,
                             const AttentionMask& source_mask, const DropoutState& dropout,
                             Cache& cache) const {
  // Step 1. Masked self-attention: y = LayerNorm(x + Dropout(MultiHead(x, x, x))). Every position of the
  // target looks at itself and the earlier ones.
  Tensor attended = self_attention.forward(x, x, x, target_mask, cache.self_attention);
  const Tensor y = self_attention_norm.forward(x, std::move(attended), dropout, cache.self_attention_norm);

  // Step 2. Encoder-decoder attention: z = LayerNorm(y + Dropout(MultiHead(y, memory, memory))). Every
  // position of the target looks at the whole source.
  Tensor looked_up =
      encoder_decoder_attention.forward(y, memory, memory, source_mask, cache.encoder_decoder_attention);
  const Tensor z = encoder_decoder_attention_norm.forward(y, std::move(looked_up), dropout,
                                                          cache.encoder_decoder_attention_norm);

  // Step 3. Feed-forward: output = LayerNorm(z + Dropout(FFN(z))). Every position by itself.
  Tensor transformed = feed_forward.forward(z, cache.feed_forward);
  return feed_forward_norm.forward(z, std::move(transformed), dropout, cache.feed_forward_norm);
}

DecoderLayer::InputGradients DecoderLayer::backward(const Tensor& grad_output, const Cache& cache) {
  // Step 3 was: output = LayerNorm(z + Dropout(FFN(z))). z was used twice, so two gradients add up.
  auto [grad_z, grad_transformed] = feed_forward_norm.backward(grad_output, cache.feed_forward_norm);
  grad_z = add(std::move(grad_z), feed_forward.backward(grad_transformed, cache.feed_forward));

  // Step 2 was: z = LayerNorm(y + Dropout(MultiHead(y, memory, memory))). y was used twice, and so was
  // memory: as key and as value.
  auto [grad_y, grad_looked_up] =
      encoder_decoder_attention_norm.backward(grad_z, cache.encoder_decoder_attention_norm);
  auto grad_cross = encoder_decoder_attention.backward(grad_looked_up, cache.encoder_decoder_attention);
  grad_y = add(std::move(grad_y), grad_cross.query);
  Tensor grad_memory = add(std::move(grad_cross.key), grad_cross.value);

  // Step 1 was: y = LayerNorm(x + Dropout(MultiHead(x, x, x))). x was used four times, so four gradients
  // add up.
  auto [grad_x, grad_attended] = self_attention_norm.backward(grad_y, cache.self_attention_norm);
  const auto grad_self = self_attention.backward(grad_attended, cache.self_attention);
  grad_x = add(std::move(grad_x), grad_self.query);
  grad_x = add(std::move(grad_x), grad_self.key);
  grad_x = add(std::move(grad_x), grad_self.value);
  return {.x = std::move(grad_x), .memory = std::move(grad_memory)};
}

void DecoderLayer::append_parameters(const std::string& prefix, ParameterList& list) {
  self_attention.append_parameters(prefix + ".self_attention", list);
  self_attention_norm.append_parameters(prefix + ".self_attention_norm", list);
  encoder_decoder_attention.append_parameters(prefix + ".encoder_decoder_attention", list);
  encoder_decoder_attention_norm.append_parameters(prefix + ".encoder_decoder_attention_norm", list);
  feed_forward.append_parameters(prefix + ".feed_forward", list);
  feed_forward_norm.append_parameters(prefix + ".feed_forward_norm", list);
}

Decoder::Decoder(const ModelConfig& config, int first_site) {
  for (Index i = 0; i < config.decoder_layers; ++i) {
    layers.emplace_back(config, first_site + static_cast<int>(i) * DecoderLayer::kDropoutSites);
  }
}

Tensor Decoder::forward(const Tensor& x, const Tensor& memory, const AttentionMask& target_mask,
                        const AttentionMask& source_mask, const DropoutState& dropout, Cache& cache) const {
  cache.layers.resize(layers.size());
  Tensor hidden = x;
  for (std::size_t i = 0; i < layers.size(); ++i)
    hidden = layers[i].forward(hidden, memory, target_mask, source_mask, dropout, cache.layers[i]);
  return hidden;
}

Tensor Decoder::forward(const Tensor& x, const Tensor& memory, const AttentionMask& target_mask,
                        const AttentionMask& source_mask) const {
  Tensor hidden = x;
  for (const DecoderLayer& layer : layers) {
    DecoderLayer::Cache not_kept;
    hidden = layer.forward(hidden, memory, target_mask, source_mask, DropoutState{}, not_kept);
  }
  return hidden;
}

DecoderLayer::InputGradients Decoder::backward(const Tensor& grad_output, const Cache& cache) {
  CHECK(cache.layers.size() == layers.size(), "a cache of ", cache.layers.size(), " layers for ",
        layers.size());
  Tensor grad_hidden = grad_output;
  Tensor grad_memory;  // every layer attended to the memory, so every layer adds to its gradient
  for (std::size_t i = layers.size(); i-- > 0;) {
    DecoderLayer::InputGradients grad = layers[i].backward(grad_hidden, cache.layers[i]);
    grad_hidden = std::move(grad.x);
    grad_memory = grad_memory.empty() ? std::move(grad.memory) : add(std::move(grad_memory), grad.memory);
  }
  return {.x = std::move(grad_hidden), .memory = std::move(grad_memory)};
}

void Decoder::append_parameters(const std::string& prefix, ParameterList& list) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    layers[i].append_parameters(prefix + "." + std::to_string(i), list);
  }
}

}  // namespace plainformer
