#include "beyond/batch_norm_transformer.h"

#include "core/random_streams.h"
#include "ops/elementwise.h"

namespace plainformer {

namespace {

using LayerCache = BatchNormTransformer::LayerCache;
using LayerMoments = BatchNormTransformer::LayerMoments;

// A forward pass through a stack.
struct BatchNormPass {
  const std::vector<Index>& lengths;  // of the sentences that the stack reads
  const DropoutState& dropout;
  Real epsilon;
  bool training;  // with the batch's moments; else with the running ones

  // output = BatchNorm(x + Dropout(Sublayer(x)))
  Tensor residual_norm(const Tensor& x, Tensor sublayer_output, const ResidualLayerNorm& norm,
                       const RunningMoments& moments, BatchNormTransformer::NormCache& cache) const {
    cache.dropout = dropout;
    Tensor dropped =
        dropout_forward(std::move(sublayer_output), dropout.probability, dropout.stream(norm.site()));
    const Tensor sum = add(std::move(dropped), x);
    if (!training) return batch_norm_inference(sum, norm.gain, norm.bias, epsilon, moments);
    return batch_norm_forward(sum, lengths, norm.gain, norm.bias, epsilon, cache.norm);
  }
};

ResidualLayerNorm::InputGradients residual_norm_backward(const Tensor& grad_output, ResidualLayerNorm& norm,
                                                         const BatchNormTransformer::NormCache& cache) {
  const DropoutState& dropout = cache.dropout;
  const Tensor grad_sum = batch_norm_backward(grad_output, cache.norm, norm.gain, norm.bias);
  return {.x = grad_sum,
          .sublayer_output = dropout_backward(grad_sum, dropout.probability, dropout.stream(norm.site()))};
}

Tensor batch_norm_layer_forward(const EncoderLayer& layer, const Tensor& x, const BatchNormPass& pass,
                                const LayerMoments& moments, LayerCache& cache) {
  // Step 1. Self-attention: y = BatchNorm(x + Dropout(MultiHead(x, x, x))).
  const AttentionMask mask = {.key_lengths = pass.lengths, .causal = false};
  Tensor attended = layer.self_attention.forward(x, x, x, mask, cache.self_attention);
  const Tensor y = pass.residual_norm(x, std::move(attended), layer.self_attention_norm,
                                      moments.self_attention_norm, cache.self_attention_norm);

  // Step 2. Feed-forward: output = BatchNorm(y + Dropout(FFN(y))).
  Tensor transformed = layer.feed_forward.forward(y, cache.feed_forward);
  return pass.residual_norm(y, std::move(transformed), layer.feed_forward_norm, moments.feed_forward_norm,
                            cache.feed_forward_norm);
}

// The gradient of the first sub-layer's input in both stacks: x was used four times, so four gradients add up.
template <typename Layer>
Tensor self_attention_grad(Layer& layer, const Tensor& grad_y, const LayerCache& cache) {
  auto [grad_x, grad_attended] =
      residual_norm_backward(grad_y, layer.self_attention_norm, cache.self_attention_norm);
  const auto grad = layer.self_attention.backward(grad_attended, cache.self_attention);
  return add(add(add(std::move(grad_x), grad.query), grad.key), grad.value);
}

// The gradient of the last sub-layer's input in both stacks: y was used twice, so two gradients add up.
template <typename Layer>
Tensor feed_forward_grad(Layer& layer, const Tensor& grad_output, const LayerCache& cache) {
  auto [grad_y, grad_transformed] =
      residual_norm_backward(grad_output, layer.feed_forward_norm, cache.feed_forward_norm);
  return add(std::move(grad_y), layer.feed_forward.backward(grad_transformed, cache.feed_forward));
}

Tensor batch_norm_layer_backward(EncoderLayer& layer, const Tensor& grad_output, const LayerCache& cache) {
  // Step 2 was: output = BatchNorm(y + Dropout(FFN(y))).
  const Tensor grad_y = feed_forward_grad(layer, grad_output, cache);

  // Step 1 was: y = BatchNorm(x + Dropout(MultiHead(x, x, x))).
  return self_attention_grad(layer, grad_y, cache);
}

struct EncodedMemory {
  const Tensor& output;               // [batch, source_len, d_model]
  const std::vector<Index>& lengths;  // [batch]
};

Tensor batch_norm_layer_forward(const DecoderLayer& layer, const Tensor& x, const EncodedMemory& memory,
                                const BatchNormPass& pass, const LayerMoments& moments, LayerCache& cache) {
  const AttentionMask target_mask = {.key_lengths = pass.lengths, .causal = true};
  const AttentionMask source_mask = {.key_lengths = memory.lengths, .causal = false};

  // Step 1. Masked self-attention: y = BatchNorm(x + Dropout(MultiHead(x, x, x))).
  Tensor attended = layer.self_attention.forward(x, x, x, target_mask, cache.self_attention);
  const Tensor y = pass.residual_norm(x, std::move(attended), layer.self_attention_norm,
                                      moments.self_attention_norm, cache.self_attention_norm);

  // Step 2. Encoder-decoder attention: z = BatchNorm(y + Dropout(MultiHead(y, memory, memory))).
  Tensor looked_up = layer.encoder_decoder_attention.forward(y, memory.output, memory.output, source_mask,
                                                             cache.encoder_decoder_attention);
  const Tensor z =
      pass.residual_norm(y, std::move(looked_up), layer.encoder_decoder_attention_norm,
                         moments.encoder_decoder_attention_norm, cache.encoder_decoder_attention_norm);

  // Step 3. Feed-forward: output = BatchNorm(z + Dropout(FFN(z))).
  Tensor transformed = layer.feed_forward.forward(z, cache.feed_forward);
  return pass.residual_norm(z, std::move(transformed), layer.feed_forward_norm, moments.feed_forward_norm,
                            cache.feed_forward_norm);
}

DecoderLayer::InputGradients batch_norm_layer_backward(DecoderLayer& layer, const Tensor& grad_output,
                                                       const LayerCache& cache) {
  // Step 3 was: output = BatchNorm(z + Dropout(FFN(z))).
  const Tensor grad_z = feed_forward_grad(layer, grad_output, cache);

  // Step 2 was: z = BatchNorm(y + Dropout(MultiHead(y, memory, memory))). memory was key and value.
  auto [grad_y, grad_looked_up] = residual_norm_backward(grad_z, layer.encoder_decoder_attention_norm,
                                                         cache.encoder_decoder_attention_norm);
  auto grad_cross = layer.encoder_decoder_attention.backward(grad_looked_up, cache.encoder_decoder_attention);
  grad_y = add(std::move(grad_y), grad_cross.query);

  // Step 1 was: y = BatchNorm(x + Dropout(MultiHead(x, x, x))).
  return {.x = self_attention_grad(layer, grad_y, cache),
          .memory = add(std::move(grad_cross.key), grad_cross.value)};
}

Tensor batch_norm_encoder(const BatchNormTransformer& model, Tensor hidden, const BatchNormPass& pass,
                          std::vector<LayerCache>& cache) {
  const std::vector<EncoderLayer>& layers = model.layers.encoder.layers;
  cache.resize(layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i)
    hidden = batch_norm_layer_forward(layers[i], hidden, pass, model.encoder_moments[i], cache[i]);
  return hidden;
}

Tensor batch_norm_decoder(const BatchNormTransformer& model, Tensor hidden, const EncodedMemory& memory,
                          const BatchNormPass& pass, std::vector<LayerCache>& cache) {
  const std::vector<DecoderLayer>& layers = model.layers.decoder.layers;
  cache.resize(layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i)
    hidden = batch_norm_layer_forward(layers[i], hidden, memory, pass, model.decoder_moments[i], cache[i]);
  return hidden;
}

LayerMoments initial_moments(Index d_model) {
  return {RunningMoments(d_model), RunningMoments(d_model), RunningMoments(d_model)};
}

}  // namespace

BatchNormTransformer::BatchNormTransformer(const ModelConfig& config, std::uint64_t seed)
    : layers(config, seed),
      encoder_moments(layers.encoder.layers.size(), initial_moments(config.d_model)),
      decoder_moments(layers.decoder.layers.size(), initial_moments(config.d_model)) {}

Tensor BatchNormTransformer::forward(const TokenBatch& source, const TokenBatch& target_input,
                                     const DropoutState& dropout, Cache& cache) const {
  const Real epsilon = layers.config().layer_norm_epsilon;

  // Step 1. Embed the source, and encode it: memory = Encoder(x).
  const Tensor x = layers.input_forward(source, random_site::kSourceInput, dropout, cache.source_input);
  const Tensor memory = batch_norm_encoder(*this, x, {source.lengths, dropout, epsilon, true}, cache.encoder);

  // Step 2. Embed the target, and decode it: decoder_output = Decoder(y, memory).
  const Tensor y = layers.input_forward(target_input, random_site::kTargetInput, dropout, cache.target_input);
  return batch_norm_decoder(*this, y, {memory, source.lengths},
                            {target_input.lengths, dropout, epsilon, true}, cache.decoder);
}

void BatchNormTransformer::backward(const Tensor& grad_decoder_output, const Cache& cache) {
  // Step 2 was: decoder_output = Decoder(y, memory). Every layer attended to the memory.
  Tensor grad_hidden = grad_decoder_output, grad_memory;
  for (std::size_t i = layers.decoder.layers.size(); i-- > 0;) {
    auto grad = batch_norm_layer_backward(layers.decoder.layers[i], grad_hidden, cache.decoder[i]);
    grad_hidden = std::move(grad.x);
    grad_memory = grad_memory.empty() ? std::move(grad.memory) : add(std::move(grad_memory), grad.memory);
  }
  layers.input_backward(std::move(grad_hidden), random_site::kTargetInput, cache.target_input);

  // Step 1 was: memory = Encoder(x).
  grad_hidden = std::move(grad_memory);
  for (std::size_t i = layers.encoder.layers.size(); i-- > 0;)
    grad_hidden = batch_norm_layer_backward(layers.encoder.layers[i], grad_hidden, cache.encoder[i]);
  layers.input_backward(std::move(grad_hidden), random_site::kSourceInput, cache.source_input);
}

void BatchNormTransformer::update_moments(const Cache& cache) {
  for (std::size_t i = 0; i < encoder_moments.size(); ++i) {
    encoder_moments[i].self_attention_norm.update(cache.encoder[i].self_attention_norm.norm);
    encoder_moments[i].feed_forward_norm.update(cache.encoder[i].feed_forward_norm.norm);
  }
  for (std::size_t i = 0; i < decoder_moments.size(); ++i) {
    const LayerCache& layer = cache.decoder[i];
    decoder_moments[i].self_attention_norm.update(layer.self_attention_norm.norm);
    decoder_moments[i].encoder_decoder_attention_norm.update(layer.encoder_decoder_attention_norm.norm);
    decoder_moments[i].feed_forward_norm.update(layer.feed_forward_norm.norm);
  }
}

Tensor BatchNormTransformer::encode(const TokenBatch& source) const {
  std::vector<LayerCache> not_kept;
  const Tensor x = layers.add_positions(embedding_forward(source, layers.embedding));
  return batch_norm_encoder(
      *this, x, {source.lengths, DropoutState{}, layers.config().layer_norm_epsilon, false}, not_kept);
}

Tensor BatchNormTransformer::decode(const TokenBatch& target_input, const Tensor& memory,
                                    const std::vector<Index>& source_lengths) const {
  std::vector<LayerCache> not_kept;
  const Tensor y = layers.add_positions(embedding_forward(target_input, layers.embedding));
  return batch_norm_decoder(*this, y, {memory, source_lengths},
                            {target_input.lengths, DropoutState{}, layers.config().layer_norm_epsilon, false},
                            not_kept);
}

}  // namespace plainformer
