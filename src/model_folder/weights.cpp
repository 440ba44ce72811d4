#include "model_folder/weights.h"

#include <cmath>
#include <map>

#include "core/input_error.h"
#include "core/number_text.h"
#include "ops/reductions.h"

namespace plainformer {

namespace {

const char* const kHint = "its configuration and its weights do not belong together";

const Tensor& find(const TensorsByName& tensors, const std::string& name, const Shape& shape,
                   const std::string& where) {
  const auto entry = tensors.find(name);
  if (entry == tensors.end()) throw input_error(where, "no tensor \"" + name + "\"", kHint);
  const Tensor& tensor = *entry->second;
  if (tensor.shape() != shape)
    throw input_error(where, name + " is " + tensor.shape().to_string() + ", not " + shape.to_string(),
                      kHint);
  if (!std::isfinite(sum_of_squares(tensor))) {
    throw input_error(where, name + " holds NaN or infinite values",
                      "the training diverged; use an earlier checkpoint");
  }
  return tensor;
}

}  // namespace

std::vector<NamedTensor> weights_of(Transformer& model) {
  std::vector<NamedTensor> tensors;
  for (const NamedParameter& p : model.parameters()) tensors.push_back({p.name, p.parameter->value});
  return tensors;
}

void load_weights(Transformer& model, const std::vector<NamedTensor>& tensors, const std::string& where) {
  const ParameterList parameters = model.parameters();
  check_count(tensors, parameters.size(), where);
  std::vector<Tensor> values = tensors_like(parameters, "", tensors, where);
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].parameter->value = std::move(values[i]);
}

std::vector<Tensor> tensors_like(const ParameterList& parameters, const std::string& prefix,
                                 const std::vector<NamedTensor>& tensors, const std::string& where) {
  const TensorsByName index = by_name(tensors);
  std::vector<Tensor> found;
  for (const NamedParameter& p : parameters)
    found.push_back(find(index, prefix + p.name, p.parameter->value.shape(), where));
  return found;
}

void check_count(const std::vector<NamedTensor>& tensors, std::size_t expected, const std::string& where) {
  if (tensors.size() == expected) return;
  throw input_error(
      where, std::to_string(tensors.size()) + " tensors, but this model has " + std::to_string(expected),
      kHint);
}

// ---- the configuration

namespace {

const std::string kSinusoidal = "sinusoidal", kLearned = "learned";

const std::string& value_of(const std::map<std::string, std::string>& metadata, const std::string& key,
                            const std::string& where) {
  const auto entry = metadata.find(key);
  if (entry == metadata.end()) {
    throw input_error(where, "no \"" + key + "\" in its metadata",
                      "is this the model.safetensors of plainformer?");
  }
  return entry->second;
}

template <typename Number>
Number parse(const std::map<std::string, std::string>& metadata, const std::string& key,
             const std::string& where) {
  const std::string& text = value_of(metadata, key, where);
  if (const auto number = parse_number<Number>(text)) return *number;
  throw input_error(where, key + " is \"" + text + "\", not a number", "the file was altered; restore it");
}

}  // namespace

Metadata metadata_of(const ModelConfig& config) {
  Metadata metadata = {{"d_model", std::to_string(config.d_model)},
                       {"d_ff", std::to_string(config.d_ff)},
                       {"heads", std::to_string(config.heads)},
                       {"encoder_layers", std::to_string(config.encoder_layers)},
                       {"decoder_layers", std::to_string(config.decoder_layers)},
                       {"vocab", std::to_string(config.vocab)},
                       {"max_length", std::to_string(config.max_length)},
                       {"layer_norm_epsilon", shortest_text(config.layer_norm_epsilon)},
                       {"positional_encoding", name_of(config.positions)}};
  if (config.d_k > 0) metadata.push_back({"d_k", std::to_string(config.d_k)});
  if (config.d_v > 0) metadata.push_back({"d_v", std::to_string(config.d_v)});
  return metadata;
}

ModelConfig config_from(const Metadata& pairs, const std::string& where) {
  const std::map<std::string, std::string> metadata(pairs.begin(), pairs.end());
  ModelConfig config;
  config.d_model = parse<Index>(metadata, "d_model", where);
  config.d_ff = parse<Index>(metadata, "d_ff", where);
  config.heads = parse<Index>(metadata, "heads", where);
  if (metadata.contains("d_k")) config.d_k = parse<Index>(metadata, "d_k", where);
  if (metadata.contains("d_v")) config.d_v = parse<Index>(metadata, "d_v", where);
  config.encoder_layers = parse<Index>(metadata, "encoder_layers", where);
  config.decoder_layers = parse<Index>(metadata, "decoder_layers", where);
  config.vocab = parse<Index>(metadata, "vocab", where);
  config.max_length = parse<Index>(metadata, "max_length", where);
  config.layer_norm_epsilon = parse<Real>(metadata, "layer_norm_epsilon", where);
  config.positions = positions_from(value_of(metadata, "positional_encoding", where), where);
  config.check(where);
  return config;
}

std::string name_of(Positions positions) {
  return positions == Positions::kLearned ? kLearned : kSinusoidal;
}

Positions positions_from(const std::string& name, const std::string& where) {
  if (name == kSinusoidal) return Positions::kSinusoidal;
  if (name == kLearned) return Positions::kLearned;
  throw input_error(where, "unknown positional_encoding \"" + name + "\"",
                    "choose \"sinusoidal\" or \"learned\"");
}

}  // namespace plainformer
