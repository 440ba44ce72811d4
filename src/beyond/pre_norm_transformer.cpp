#include "beyond/pre_norm_transformer.h"

#include "core/random_streams.h"
#include "ops/elementwise.h"

namespace plainformer {

namespace {

using PreNormCache = ResidualLayerNorm::Cache;

// The parts of a forward pass that surround a sub-layer.
struct PreNormSurroundings {
  const DropoutState& dropout;
  Real epsilon;

  // The sub-layer's input: n = LayerNorm(x).
  Tensor before(const Tensor& x, const ResidualLayerNorm& norm, PreNormCache& cache) const {
    return layer_norm_forward(x, norm.gain, norm.bias, epsilon, cache.norm);
  }

  // The sum after the sub-layer: y = x + Dropout(Sublayer(n)).
  Tensor after(const Tensor& x, Tensor sublayer_output, const ResidualLayerNorm& norm,
               PreNormCache& cache) const {
    cache.dropout = dropout;
    return add(dropout_forward(std::move(sublayer_output), dropout.probability, dropout.stream(norm.site())),
               x);
  }
};

Tensor pre_norm_sublayer_grad(const Tensor& grad_y, const ResidualLayerNorm& norm,
                              const PreNormCache& cache) {
  return dropout_backward(grad_y, cache.dropout.probability, cache.dropout.stream(norm.site()));
}

// x was used twice: around the sub-layer, and in its norm.
Tensor pre_norm_input_grad(Tensor grad_n, const Tensor& grad_y, ResidualLayerNorm& norm,
                           const PreNormCache& cache) {
  return add(layer_norm_backward(grad_n, cache.norm, norm.gain, norm.bias), grad_y);
}

Tensor pre_norm_layer_forward(const EncoderLayer& layer, const Tensor& x, const AttentionMask& source_mask,
                              const PreNormSurroundings& around, EncoderLayer::Cache& cache) {
  // Step 1. Self-attention: y = x + Dropout(MultiHead(n, n, n)), n = LayerNorm(x).
  const Tensor n = around.before(x, layer.self_attention_norm, cache.self_attention_norm);
  Tensor attended = layer.self_attention.forward(n, n, n, source_mask, cache.self_attention);
  const Tensor y = around.after(x, std::move(attended), layer.self_attention_norm, cache.self_attention_norm);

  // Step 2. Feed-forward: output = y + Dropout(FFN(m)), m = LayerNorm(y).
  const Tensor m = around.before(y, layer.feed_forward_norm, cache.feed_forward_norm);
  Tensor transformed = layer.feed_forward.forward(m, cache.feed_forward);
  return around.after(y, std::move(transformed), layer.feed_forward_norm, cache.feed_forward_norm);
}

Tensor pre_norm_layer_backward(EncoderLayer& layer, const Tensor& grad_output,
                               const EncoderLayer::Cache& cache) {
  // Step 2 was: output = y + Dropout(FFN(m)), m = LayerNorm(y).
  const Tensor grad_transformed =
      pre_norm_sublayer_grad(grad_output, layer.feed_forward_norm, cache.feed_forward_norm);
  Tensor grad_m = layer.feed_forward.backward(grad_transformed, cache.feed_forward);
  const Tensor grad_y =
      pre_norm_input_grad(std::move(grad_m), grad_output, layer.feed_forward_norm, cache.feed_forward_norm);

  // Step 1 was: y = x + Dropout(MultiHead(n, n, n)), n = LayerNorm(x). n was used three times.
  const Tensor grad_attended =
      pre_norm_sublayer_grad(grad_y, layer.self_attention_norm, cache.self_attention_norm);
  auto grad = layer.self_attention.backward(grad_attended, cache.self_attention);
  Tensor grad_n = add(add(std::move(grad.query), grad.key), grad.value);
  return pre_norm_input_grad(std::move(grad_n), grad_y, layer.self_attention_norm, cache.self_attention_norm);
}

struct DecoderMasks {
  AttentionMask target, source;
};

Tensor pre_norm_layer_forward(const DecoderLayer& layer, const Tensor& x, const Tensor& memory,
                              const DecoderMasks& masks, const PreNormSurroundings& around,
                              DecoderLayer::Cache& cache) {
  // Step 1. Masked self-attention: y = x + Dropout(MultiHead(n, n, n)), n = LayerNorm(x).
  const Tensor n = around.before(x, layer.self_attention_norm, cache.self_attention_norm);
  Tensor attended = layer.self_attention.forward(n, n, n, masks.target, cache.self_attention);
  const Tensor y = around.after(x, std::move(attended), layer.self_attention_norm, cache.self_attention_norm);

  // Step 2. Encoder-decoder attention: z = y + Dropout(MultiHead(m, memory, memory)), m = LayerNorm(y).
  const Tensor m =
      around.before(y, layer.encoder_decoder_attention_norm, cache.encoder_decoder_attention_norm);
  Tensor looked_up = layer.encoder_decoder_attention.forward(m, memory, memory, masks.source,
                                                             cache.encoder_decoder_attention);
  const Tensor z = around.after(y, std::move(looked_up), layer.encoder_decoder_attention_norm,
                                cache.encoder_decoder_attention_norm);

  // Step 3. Feed-forward: output = z + Dropout(FFN(o)), o = LayerNorm(z).
  const Tensor o = around.before(z, layer.feed_forward_norm, cache.feed_forward_norm);
  Tensor transformed = layer.feed_forward.forward(o, cache.feed_forward);
  return around.after(z, std::move(transformed), layer.feed_forward_norm, cache.feed_forward_norm);
}

DecoderLayer::InputGradients pre_norm_layer_backward(DecoderLayer& layer, const Tensor& grad_output,
                                                     const DecoderLayer::Cache& cache) {
  // Step 3 was: output = z + Dropout(FFN(o)), o = LayerNorm(z).
  const Tensor grad_transformed =
      pre_norm_sublayer_grad(grad_output, layer.feed_forward_norm, cache.feed_forward_norm);
  Tensor grad_o = layer.feed_forward.backward(grad_transformed, cache.feed_forward);
  const Tensor grad_z =
      pre_norm_input_grad(std::move(grad_o), grad_output, layer.feed_forward_norm, cache.feed_forward_norm);

  // Step 2 was: z = y + Dropout(MultiHead(m, memory, memory)), m = LayerNorm(y). memory was key and value.
  const Tensor grad_looked_up = pre_norm_sublayer_grad(grad_z, layer.encoder_decoder_attention_norm,
                                                       cache.encoder_decoder_attention_norm);
  auto grad_cross = layer.encoder_decoder_attention.backward(grad_looked_up, cache.encoder_decoder_attention);
  const Tensor grad_y =
      pre_norm_input_grad(std::move(grad_cross.query), grad_z, layer.encoder_decoder_attention_norm,
                          cache.encoder_decoder_attention_norm);

  // Step 1 was: y = x + Dropout(MultiHead(n, n, n)), n = LayerNorm(x). n was used three times.
  const Tensor grad_attended =
      pre_norm_sublayer_grad(grad_y, layer.self_attention_norm, cache.self_attention_norm);
  auto grad = layer.self_attention.backward(grad_attended, cache.self_attention);
  Tensor grad_n = add(add(std::move(grad.query), grad.key), grad.value);
  return {.x = pre_norm_input_grad(std::move(grad_n), grad_y, layer.self_attention_norm,
                                   cache.self_attention_norm),
          .memory = add(std::move(grad_cross.key), grad_cross.value)};
}

Tensor pre_norm_encoder_forward(const PreNormTransformer& model, Tensor hidden,
                                const std::vector<Index>& lengths, const DropoutState& dropout,
                                PreNormTransformer::Cache& cache) {
  const std::vector<EncoderLayer>& layers = model.layers.encoder.layers;
  const AttentionMask mask = {.key_lengths = lengths, .causal = false};
  const Real epsilon = model.layers.config().layer_norm_epsilon;
  cache.encoder.layers.resize(layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i)
    hidden = pre_norm_layer_forward(layers[i], hidden, mask, {dropout, epsilon}, cache.encoder.layers[i]);
  return layer_norm_forward(hidden, model.encoder_gain, model.encoder_bias, epsilon, cache.encoder_norm);
}

Tensor pre_norm_decoder_forward(const PreNormTransformer& model, Tensor hidden, const Tensor& memory,
                                const DecoderMasks& masks, const DropoutState& dropout,
                                PreNormTransformer::Cache& cache) {
  const std::vector<DecoderLayer>& layers = model.layers.decoder.layers;
  const Real epsilon = model.layers.config().layer_norm_epsilon;
  cache.decoder.layers.resize(layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i)
    hidden =
        pre_norm_layer_forward(layers[i], hidden, memory, masks, {dropout, epsilon}, cache.decoder.layers[i]);
  return layer_norm_forward(hidden, model.decoder_gain, model.decoder_bias, epsilon, cache.decoder_norm);
}

DecoderMasks masks_of(const TokenBatch& target_input, const std::vector<Index>& source_lengths) {
  return {.target = {.key_lengths = target_input.lengths, .causal = true},
          .source = {.key_lengths = source_lengths, .causal = false}};
}

}  // namespace

PreNormTransformer::PreNormTransformer(const ModelConfig& config, std::uint64_t seed)
    : layers(config, seed),
      encoder_gain(Tensor::filled({config.d_model}, 1)),
      encoder_bias(Tensor::zeros({config.d_model})),
      decoder_gain(encoder_gain),
      decoder_bias(encoder_bias) {}

Tensor PreNormTransformer::forward(const TokenBatch& source, const TokenBatch& target_input,
                                   const DropoutState& dropout, Cache& cache) const {
  // Step 1. Embed the source, and encode it: memory = LayerNorm(Encoder(x)).
  const Tensor x = layers.input_forward(source, random_site::kSourceInput, dropout, cache.source_input);
  const Tensor memory = pre_norm_encoder_forward(*this, x, source.lengths, dropout, cache);

  // Step 2. Embed the target, and decode it: decoder_output = LayerNorm(Decoder(y, memory)).
  const Tensor y = layers.input_forward(target_input, random_site::kTargetInput, dropout, cache.target_input);
  return pre_norm_decoder_forward(*this, y, memory, masks_of(target_input, source.lengths), dropout, cache);
}

void PreNormTransformer::backward(const Tensor& grad_decoder_output, const Cache& cache) {
  // Step 2 was: decoder_output = LayerNorm(Decoder(y, memory)). Every layer attended to the memory.
  Tensor grad_hidden =
      layer_norm_backward(grad_decoder_output, cache.decoder_norm, decoder_gain, decoder_bias);
  Tensor grad_memory;
  for (std::size_t i = layers.decoder.layers.size(); i-- > 0;) {
    auto grad = pre_norm_layer_backward(layers.decoder.layers[i], grad_hidden, cache.decoder.layers[i]);
    grad_hidden = std::move(grad.x);
    grad_memory = grad_memory.empty() ? std::move(grad.memory) : add(std::move(grad_memory), grad.memory);
  }
  layers.input_backward(std::move(grad_hidden), random_site::kTargetInput, cache.target_input);

  // Step 1 was: memory = LayerNorm(Encoder(x)).
  grad_hidden = layer_norm_backward(grad_memory, cache.encoder_norm, encoder_gain, encoder_bias);
  for (std::size_t i = layers.encoder.layers.size(); i-- > 0;)
    grad_hidden = pre_norm_layer_backward(layers.encoder.layers[i], grad_hidden, cache.encoder.layers[i]);
  layers.input_backward(std::move(grad_hidden), random_site::kSourceInput, cache.source_input);
}

Tensor PreNormTransformer::encode(const TokenBatch& source) const {
  Cache not_kept;
  const Tensor x = layers.add_positions(embedding_forward(source, layers.embedding));
  return pre_norm_encoder_forward(*this, x, source.lengths, DropoutState{}, not_kept);
}

Tensor PreNormTransformer::decode(const TokenBatch& target_input, const Tensor& memory,
                                  const std::vector<Index>& source_lengths) const {
  Cache not_kept;
  const Tensor y = layers.add_positions(embedding_forward(target_input, layers.embedding));
  return pre_norm_decoder_forward(*this, y, memory, masks_of(target_input, source_lengths), DropoutState{},
                                  not_kept);
}

ParameterList PreNormTransformer::parameters() {
  ParameterList list = layers.parameters();
  list.push_back({"encoder.norm.gain", &encoder_gain});
  list.push_back({"encoder.norm.bias", &encoder_bias});
  list.push_back({"decoder.norm.gain", &decoder_gain});
  list.push_back({"decoder.norm.bias", &decoder_bias});
  return list;
}

}  // namespace plainformer
