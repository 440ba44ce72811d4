#include "transformer/encoder.h"

namespace plainformer {

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
