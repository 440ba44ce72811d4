#include "training/recomputing_passes.h"

#include "core/random_streams.h"
#include "ops/elementwise.h"

namespace plainformer {

Tensor RecomputingPasses::forward(const TranslationBatch& batch, const DropoutState& dropout) {
  const std::vector<EncoderLayer>& encoder = model_.encoder.layers;
  const std::vector<DecoderLayer>& decoder = model_.decoder.layers;
  source_mask_ = {.key_lengths = batch.source.lengths, .causal = false};
  target_mask_ = {.key_lengths = batch.target_input.lengths, .causal = true};
  dropout_ = dropout;
  cache_.encoder.layers.resize(encoder.size());
  cache_.decoder.layers.resize(decoder.size());

  // Step 1. Embed the source and encode it, keeping each layer's input.
  Tensor memory = model_.input_forward(batch.source, random_site::kSourceInput, dropout, cache_.source_input);
  for (std::size_t i = 0; i < encoder.size(); ++i) {
    EncoderLayer::Cache not_kept;
    cache_.encoder.layers[i].self_attention.query_input = memory;
    memory = encoder[i].forward(memory, source_mask_, dropout, not_kept);
  }

  // Step 2. Embed the target and decode it, keeping each layer's inputs.
  Tensor hidden =
      model_.input_forward(batch.target_input, random_site::kTargetInput, dropout, cache_.target_input);
  for (std::size_t i = 0; i < decoder.size(); ++i) {
    DecoderLayer::Cache not_kept;
    cache_.decoder.layers[i].self_attention.query_input = hidden;
    cache_.decoder.layers[i].encoder_decoder_attention.key_input = memory;
    hidden = decoder[i].forward(hidden, memory, target_mask_, source_mask_, dropout, not_kept);
  }
  return cache_.decoder_output = hidden;
}

void RecomputingPasses::backward(const Tensor& grad_decoder_output) {
  // Step 2 was: embed the target and decode it.
  Tensor grad_hidden = grad_decoder_output;
  Tensor grad_memory;  // every layer attended to the memory, so every layer adds to its gradient
  for (std::size_t i = model_.decoder.layers.size(); i-- > 0;) {
    DecoderLayer& layer = model_.decoder.layers[i];
    const DecoderLayer::Cache& kept = cache_.decoder.layers[i];
    DecoderLayer::Cache again;
    layer.forward(kept.self_attention.query_input, kept.encoder_decoder_attention.key_input, target_mask_,
                  source_mask_, dropout_, again);
    DecoderLayer::InputGradients grad = layer.backward(grad_hidden, again);
    grad_hidden = std::move(grad.x);
    grad_memory = grad_memory.empty() ? std::move(grad.memory) : add(std::move(grad_memory), grad.memory);
  }
  model_.input_backward(std::move(grad_hidden), random_site::kTargetInput, cache_.target_input);

  // Step 1 was: embed the source and encode it.
  grad_hidden = grad_memory;
  for (std::size_t i = model_.encoder.layers.size(); i-- > 0;) {
    EncoderLayer& layer = model_.encoder.layers[i];
    EncoderLayer::Cache again;
    layer.forward(cache_.encoder.layers[i].self_attention.query_input, source_mask_, dropout_, again);
    grad_hidden = layer.backward(grad_hidden, again);
  }
  model_.input_backward(std::move(grad_hidden), random_site::kSourceInput, cache_.source_input);
}

}  // namespace plainformer
