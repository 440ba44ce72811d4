#include "probe.h"

#include "transformer/encoder_layer.h"

namespace plainformer::course {

namespace {

const DropoutState kDropout = {.probability = static_cast<Real>(0.3), .seed = 1, .attempt = 2};
const Shape kShape = {2, 3, 4};  // [batch, len, d_model]

EncoderLayer random_layer() {
  EncoderLayer layer({.d_model = 4, .d_ff = 5, .heads = 2}, 1);
  ParameterList parameters;
  layer.append_parameters("", parameters);
  unsigned seed = 10;
  for (const NamedParameter& p : parameters)
    p.parameter->value = random_input(p.parameter->value.shape(), seed++);
  return layer;
}

const Tensor kX = random_input(kShape, 1), kSublayerOutput = random_input(kShape, 2);
const Tensor kGradOutput = random_input(kShape, 3);

ResidualLayerNorm random_norm() {
  ResidualLayerNorm norm(4, static_cast<Real>(1e-6), 0);
  norm.gain.value = random_input({4}, 4);
  norm.bias.value = random_input({4}, 5);
  return norm;
}

void norm_forward() {
  const ResidualLayerNorm norm = random_norm();
  ResidualLayerNorm::Cache cache;
  show("sum normalized", norm.forward(kX, kSublayerOutput, DropoutState(), cache));
  show("with dropout", norm.forward(kX, kSublayerOutput, kDropout, cache));
}

void norm_backward() {
  ResidualLayerNorm norm = random_norm();
  ResidualLayerNorm::Cache cache;
  norm.forward(kX, kSublayerOutput, kDropout, cache);
  const ResidualLayerNorm::InputGradients grad = norm.backward(kGradOutput, cache);
  show("grad_x around the sub-layer", grad.x);
  show("grad_sublayer_output", grad.sublayer_output);
  show("grad_gain", norm.gain.grad);
}

void layer_forward() {
  const EncoderLayer layer = random_layer();
  EncoderLayer::Cache cache;
  show("layer", layer.forward(kX, {.key_lengths = {3, 2}, .causal = false}, kDropout, cache));
}

void layer_backward() {
  EncoderLayer layer = random_layer();
  EncoderLayer::Cache cache;
  layer.forward(kX, {.key_lengths = {3, 2}, .causal = false}, kDropout, cache);
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
