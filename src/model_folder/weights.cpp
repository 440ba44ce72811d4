#include "model_folder/weights.h"

#include <cmath>

#include "core/input_error.h"
#include "ops/reductions.h"
#include "report/numbers.h"

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

struct Size {
  const char* name;
  Index ModelConfig::*member;
};
constexpr Size kSizes[] = {{"d_model", &ModelConfig::d_model},
                           {"d_ff", &ModelConfig::d_ff},
                           {"heads", &ModelConfig::heads},
                           {"encoder_layers", &ModelConfig::encoder_layers},
                           {"decoder_layers", &ModelConfig::decoder_layers},
                           {"vocab", &ModelConfig::vocab},
                           {"max_length", &ModelConfig::max_length}};
// Only where they are not d_model / heads.
constexpr Size kWidthsOfHeads[] = {{"d_k", &ModelConfig::d_k}, {"d_v", &ModelConfig::d_v}};

}  // namespace

const std::string& text_in(const Metadata& metadata, const std::string& key, const std::string& where) {
  if (const std::string* text = find_text(metadata, key)) return *text;
  throw input_error(where, "no \"" + key + "\" in its metadata", "did plainformer write this file?");
}

Metadata metadata_of(const ModelConfig& config) {
  Metadata metadata;
  for (const Size& size : kSizes) metadata.emplace_back(size.name, std::to_string(config.*size.member));
  metadata.emplace_back("layer_norm_epsilon", shortest_text(config.layer_norm_epsilon));
  metadata.emplace_back("positional_encoding", name_of(config.positions));
  for (const Size& width : kWidthsOfHeads)
    if (config.*width.member > 0) metadata.emplace_back(width.name, std::to_string(config.*width.member));
  return metadata;
}

std::string describe_sizes(const ModelConfig& c) {
  return std::to_string(c.encoder_layers) + "+" + std::to_string(c.decoder_layers) + " layers, d_model " +
         std::to_string(c.d_model) + ", d_ff " + std::to_string(c.d_ff) + ", " + count_of(c.heads, "head") +
         ", vocabulary " + std::to_string(c.vocab);
}

ModelConfig config_from(const Metadata& metadata, const std::string& where) {
  ModelConfig config;
  for (const Size& size : kSizes) config.*size.member = number_in<Index>(metadata, size.name, where);
  for (const Size& width : kWidthsOfHeads)
    if (find_text(metadata, width.name)) config.*width.member = number_in<Index>(metadata, width.name, where);
  config.layer_norm_epsilon = number_in<Real>(metadata, "layer_norm_epsilon", where);
  config.positions = positions_from(text_in(metadata, "positional_encoding", where), where);
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
