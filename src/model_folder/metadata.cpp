#include "model_folder/metadata.h"

#include <map>

#include "core/input_error.h"
#include "core/number_text.h"

namespace plainformer {

namespace {

const std::string kSinusoidal = "sinusoidal", kLearned = "learned";

const std::string& find(const std::map<std::string, std::string>& metadata, const std::string& key,
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
  const std::string& text = find(metadata, key, where);
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
  config.positions = positions_from(find(metadata, "positional_encoding", where), where);
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
