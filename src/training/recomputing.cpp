#include "training/recomputing.h"

#include "core/random.h"
#include "ops/elementwise.h"

namespace plainformer {

Tensor RecomputingTransformer::forward(const TokenBatch& source, const TokenBatch& target_input,
                                       const DropoutState& dropout, Cache& cache) const {
  const std::vector<EncoderLayer>& encoder = model_.encoder.layers;
  const std::vector<DecoderLayer>& decoder = model_.decoder.layers;
  const AttentionMask source_mask = {.key_lengths = source.lengths, .causal = false};
  const AttentionMask target_mask = {.key_lengths = target_input.lengths, .causal = true};
  cache.encoder.layers.resize(encoder.size());
  cache.decoder.layers.resize(decoder.size());

  // Step 1. Embed the source and encode it, keeping each layer's input.
  Tensor memory = model_.input_forward(source, random_site::kSourceInput, dropout, cache.source_input);
  for (std::size_t i = 0; i < encoder.size(); ++i) {
    EncoderLayer::Cache not_kept;
    cache.encoder.layers[i].self_attention.query_input = memory;
    memory = encoder[i].forward(memory, source_mask, dropout, not_kept);
  }

  // Step 2. Embed the target and decode it, keeping each layer's inputs.
  Tensor hidden = model_.input_forward(target_input, random_site::kTargetInput, dropout, cache.target_input);
  for (std::size_t i = 0; i < decoder.size(); ++i) {
    DecoderLayer::Cache not_kept;
    cache.decoder.layers[i].self_attention.query_input = hidden;
    cache.decoder.layers[i].encoder_decoder_attention.key_input = memory;
    hidden = decoder[i].forward(hidden, memory, target_mask, source_mask, dropout, not_kept);
  }
  return hidden;
}

void RecomputingTransformer::backward(const Tensor& grad_decoder_output, const Cache& cache) {
  const AttentionMask source_mask = {.key_lengths = cache.source_input.tokens.lengths, .causal = false};
  const AttentionMask target_mask = {.key_lengths = cache.target_input.tokens.lengths, .causal = true};
  const DropoutState& dropout = cache.source_input.dropout;

  // Step 2 was: embed the target and decode it.
  Tensor grad_hidden = grad_decoder_output;
  Tensor grad_memory;  // every layer attended to the memory, so every layer adds to its gradient
  for (std::size_t i = model_.decoder.layers.size(); i-- > 0;) {
    DecoderLayer& layer = model_.decoder.layers[i];
    const DecoderLayer::Cache& kept = cache.decoder.layers[i];
    DecoderLayer::Cache again;
    layer.forward(kept.self_attention.query_input, kept.encoder_decoder_attention.key_input, target_mask,
                  source_mask, dropout, again);
    DecoderLayer::InputGradients grad = layer.backward(grad_hidden, again);
    grad_hidden = std::move(grad.x);
    grad_memory = grad_memory.empty() ? std::move(grad.memory) : add(std::move(grad_memory), grad.memory);
  }
  model_.input_backward(std::move(grad_hidden), random_site::kTargetInput, cache.target_input);

  // Step 1 was: embed the source and encode it.
  grad_hidden = grad_memory;
  for (std::size_t i = model_.encoder.layers.size(); i-- > 0;) {
    EncoderLayer& layer = model_.encoder.layers[i];
    EncoderLayer::Cache again;
    layer.forward(cache.encoder.layers[i].self_attention.query_input, source_mask, dropout, again);
    grad_hidden = layer.backward(grad_hidden, again);
  }
  model_.input_backward(std::move(grad_hidden), random_site::kSourceInput, cache.source_input);
}

}  // namespace plainformer
