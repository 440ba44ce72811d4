#include "training/first_not_finite.h"

#include <cmath>
#include <limits>

#include "ops/reductions.h"

namespace plainformer {

namespace {

std::string layer_name(const char* stack, std::size_t i) {
  return "the output of " + std::string(stack) + "." + std::to_string(i) + ".";
}

// The tensors that the cache keeps of each sub-layer, in the order of the forward pass. Attention keeps the
// input of W^O, and the feed-forward network that of W_2. If their products are not finite, the norm that
// follows shows it.
std::vector<NamedTensor> outputs_of(const Encoder::Cache& cache, const Tensor& memory) {
  std::vector<NamedTensor> outputs;
  for (std::size_t i = 0; i < cache.layers.size(); ++i) {
    const EncoderLayer::Cache& layer = cache.layers[i];
    const std::string name = layer_name("encoder", i);
    const bool is_last = i + 1 == cache.layers.size();
    outputs.push_back({name + "self_attention", layer.self_attention.concat});
    outputs.push_back({name + "self_attention_norm", layer.feed_forward.x});
    outputs.push_back({name + "feed_forward", layer.feed_forward.hidden});
    outputs.push_back(
        {name + "feed_forward_norm", is_last ? memory : cache.layers[i + 1].self_attention.query_input});
  }
  return outputs;
}

std::vector<NamedTensor> outputs_of(const Decoder::Cache& cache, const Tensor& decoder_output) {
  std::vector<NamedTensor> outputs;
  for (std::size_t i = 0; i < cache.layers.size(); ++i) {
    const DecoderLayer::Cache& layer = cache.layers[i];
    const std::string name = layer_name("decoder", i);
    const bool is_last = i + 1 == cache.layers.size();
    outputs.push_back({name + "self_attention", layer.self_attention.concat});
    outputs.push_back({name + "self_attention_norm", layer.encoder_decoder_attention.query_input});
    outputs.push_back({name + "encoder_decoder_attention", layer.encoder_decoder_attention.concat});
    outputs.push_back({name + "encoder_decoder_attention_norm", layer.feed_forward.x});
    outputs.push_back({name + "feed_forward", layer.feed_forward.hidden});
    outputs.push_back({name + "feed_forward_norm",
                       is_last ? decoder_output : cache.layers[i + 1].self_attention.query_input});
  }
  return outputs;
}

}  // namespace

std::string first_not_finite_output(const Transformer::Cache& cache) {
  const EncoderLayer::Cache& encoder_layer = cache.encoder.layers.front();
  const DecoderLayer::Cache& decoder_layer = cache.decoder.layers.front();
  const Tensor& memory = decoder_layer.encoder_decoder_attention.key_input;
  std::vector<NamedTensor> outputs = {
      {"the embedding of the source", encoder_layer.self_attention.query_input}};
  for (NamedTensor& output : outputs_of(cache.encoder, memory)) outputs.push_back(std::move(output));
  outputs.push_back({"the embedding of the target", decoder_layer.self_attention.query_input});
  for (NamedTensor& output : outputs_of(cache.decoder, cache.decoder_output))
    outputs.push_back(std::move(output));
  const std::string name = first_not_finite(outputs);
  return name.empty() ? "the loss" : name;
}

std::string first_not_finite_gradient(const ParameterList& parameters) {
  const auto is_finite = [](const NamedParameter& p) {
    return sum_of_squares(p.parameter->grad) <= std::numeric_limits<Real>::max();
  };
  // Learned positions are the last of the list, and the first layers' inputs: their gradient comes with the
  // last ones.
  const auto is_input = [](const NamedParameter& p) { return p.name == "position_embedding"; };
  for (auto p = parameters.rbegin(); p != parameters.rend(); ++p)
    if (!is_input(*p) && !is_finite(*p)) return "the gradient of " + p->name;
  for (const NamedParameter& p : parameters)
    if (is_input(p) && !is_finite(p)) return "the gradient of " + p.name;
  return "the gradient";
}

std::string first_not_finite(const std::vector<NamedTensor>& tensors) {
  for (const NamedTensor& t : tensors) {
    if (!std::isfinite(sum_of_squares(t.tensor))) return t.name;
  }
  return "";
}

}  // namespace plainformer
