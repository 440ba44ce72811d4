#include "driver.h"

#include "transformer/decoder.h"

namespace plainformer::course {

namespace {

const DropoutState kDropout = {.probability = static_cast<Real>(0.3), .seed = 1, .attempt = 2};
const AttentionMask kTargetMask = {.key_lengths = {3, 2}, .causal = true};
const AttentionMask kSourceMask = {.key_lengths = {2, 3}, .causal = false};

// The source is longer than the target by its padding only: so exchanged masks fit, and have other numbers.
const Tensor kX = random_input({2, 3, 4}, 1'000),
             kMemory = random_input({2, 4, 4}, 2'000);  // [batch, len, d_model]
const Tensor kGradOutput = random_input({2, 3, 4}, 3'000);

DecoderLayer random_layer() {
  DecoderLayer layer({.d_model = 4, .d_ff = 5, .heads = 2}, 1);
  draw_parameters(layer);
  return layer;
}

void forward() {
  DecoderLayer::Cache cache;
  show("without dropout",
       random_layer().forward(kX, kMemory, kTargetMask, kSourceMask, DropoutState(), cache));
  show("with dropout", random_layer().forward(kX, kMemory, kTargetMask, kSourceMask, kDropout, cache));
}

// The cache of a right forward pass, whatever the student's does.
DecoderLayer::Cache cache_of(const DecoderLayer& layer) {
  DecoderLayer::Cache cache;
  Tensor attended = layer.self_attention.forward(kX, kX, kX, kTargetMask, cache.self_attention);
  const Tensor y =
      layer.self_attention_norm.forward(kX, std::move(attended), kDropout, cache.self_attention_norm);
  Tensor looked_up = layer.encoder_decoder_attention.forward(y, kMemory, kMemory, kSourceMask,
                                                             cache.encoder_decoder_attention);
  const Tensor z = layer.encoder_decoder_attention_norm.forward(y, std::move(looked_up), kDropout,
                                                                cache.encoder_decoder_attention_norm);
  layer.feed_forward_norm.forward(z, layer.feed_forward.forward(z, cache.feed_forward), kDropout,
                                  cache.feed_forward_norm);
  return cache;
}

void backward() {
  DecoderLayer layer = random_layer();
  const DecoderLayer::InputGradients grad = layer.backward(kGradOutput, cache_of(layer));
  show("grad_memory", grad.memory);
  show("grad_x", grad.x);
  show("grad_gain after self-attention", layer.self_attention_norm.gain.grad);
  show("grad_gain after encoder-decoder attention", layer.encoder_decoder_attention_norm.gain.grad);
}

}  // namespace

std::vector<Stage> stages() {
  return {{"DecoderLayer::forward", forward}, {"DecoderLayer::backward", backward}};
}

}  // namespace plainformer::course
