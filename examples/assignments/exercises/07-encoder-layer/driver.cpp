#include "driver.h"

#include "ops/elementwise.h"
#include "ops/layer_norm.h"
#include "transformer/encoder.h"

namespace plainformer::course {

namespace {

const DropoutState kDropout = {.probability = static_cast<Real>(0.3), .seed = 1, .attempt = 2};
const Shape kShape = {2, 3, 4};  // [batch, len, d_model]

EncoderLayer random_layer() {
  EncoderLayer layer({.d_model = 4, .d_ff = 5, .heads = 2}, 1);
  draw_parameters(layer);
  return layer;
}

const Tensor kX = random_input(kShape, 1'000), kSublayerOutput = random_input(kShape, 2'000);
const Tensor kGradOutput = random_input(kShape, 3'000);

constexpr Real kEpsilon = static_cast<Real>(1e-6);

ResidualLayerNorm random_norm() {
  ResidualLayerNorm norm(4, kEpsilon, 0);
  norm.gain.value = random_input({4}, 4'000);
  norm.bias.value = random_input({4}, 5'000);
  return norm;
}

void norm_forward() {
  const ResidualLayerNorm norm = random_norm();
  ResidualLayerNorm::Cache cache;
  show("sum normalized", norm.forward(kX, kSublayerOutput, DropoutState(), cache));
  show("with dropout", norm.forward(kX, kSublayerOutput, kDropout, cache));
}

// What a right forward pass returns and leaves, whatever the student's does.
Tensor right_forward(const ResidualLayerNorm& norm, const Tensor& x, Tensor sublayer_output,
                     ResidualLayerNorm::Cache& cache) {
  cache.dropout = kDropout;
  Tensor dropped =
      dropout_forward(std::move(sublayer_output), kDropout.probability, kDropout.stream(norm.site()));
  return layer_norm_forward(add(std::move(dropped), x), norm.gain, norm.bias, kEpsilon, cache.norm);
}

void norm_backward() {
  ResidualLayerNorm norm = random_norm();
  ResidualLayerNorm::Cache cache;
  right_forward(norm, kX, kSublayerOutput, cache);
  const ResidualLayerNorm::InputGradients grad = norm.backward(kGradOutput, cache);
  show("grad_x around the sub-layer", grad.x);
  show("grad_sublayer_output", grad.sublayer_output);
  show("grad_gain", norm.gain.grad);
}

const AttentionMask kMask = {.key_lengths = {3, 2}, .causal = false};

void layer_forward() {
  EncoderLayer::Cache cache;
  show("without dropout", random_layer().forward(kX, kMask, DropoutState(), cache));
  show("with dropout", random_layer().forward(kX, kMask, kDropout, cache));
}

void layer_backward() {
  EncoderLayer layer = random_layer();
  EncoderLayer::Cache cache;
  const Tensor y = right_forward(layer.self_attention_norm, kX,
                                 layer.self_attention.forward(kX, kX, kX, kMask, cache.self_attention),
                                 cache.self_attention_norm);
  right_forward(layer.feed_forward_norm, y, layer.feed_forward.forward(y, cache.feed_forward),
                cache.feed_forward_norm);
  show("grad_x of the layer", layer.backward(kGradOutput, cache));
  show("grad_gain after the feed-forward network", layer.feed_forward_norm.gain.grad);
  show("grad_gain after attention", layer.self_attention_norm.gain.grad);
}

}  // namespace

std::vector<Stage> stages() {
  return {{"ResidualLayerNorm::forward", norm_forward},
          {"ResidualLayerNorm::backward", norm_backward},
          {"EncoderLayer::forward", layer_forward},
          {"EncoderLayer::backward", layer_backward}};
}

}  // namespace plainformer::course
