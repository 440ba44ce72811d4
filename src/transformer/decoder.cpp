#include "transformer/decoder.h"

#include "ops/elementwise.h"

namespace plainformer {

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
