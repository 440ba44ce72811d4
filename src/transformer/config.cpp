#include "transformer/config.h"

#include <map>

#include "core/input_error.h"
#include "core/number_text.h"
#include "core/special_symbols.h"

namespace plainformer {

namespace {

// No sane model exceeds these bounds. No product of two of them overflows 64 bits.
constexpr Index kMaxWidth = 1 << 16, kMaxVocab = 10'000'000, kMaxLength = 1 << 20;
constexpr Index kMaxPositions = 1 << 23;  // elements of the table of positional encodings: 32 MB

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

void ModelConfig::check(const std::string& where) const {
  require_between(where + ": d_model", d_model, 1, kMaxWidth);
  require_between(where + ": d_ff", d_ff, 1, kMaxWidth);
  require_between(where + ": heads", heads, 1, d_model);
  require_between(where + ": encoder_layers", encoder_layers, 1, kMaxLayers);
  require_between(where + ": decoder_layers", decoder_layers, 1, kMaxLayers);
  require_between(where + ": vocab", vocab, kSpecialSymbols + 1, kMaxVocab);
  require_between(where + ": max_length", max_length, 2, kMaxLength);
  if (max_length > kMaxPositions / d_model) {
    throw input_error(
        where,
        "max_length " + std::to_string(max_length) + " is too long for d_model " + std::to_string(d_model),
        "choose at most " + std::to_string(kMaxPositions / d_model));
  }
  require_between(where + ": d_k", d_k, 0, kMaxWidth / heads);
  require_between(where + ": d_v", d_v, 0, kMaxWidth / heads);
  if (d_model % heads != 0 && (d_k == 0 || d_v == 0)) {
    throw input_error(where,
                      std::to_string(heads) + " heads do not divide d_model " + std::to_string(d_model),
                      "each head gets d_model / heads columns, so choose a divisor, or give d_k and d_v");
  }
  if (!(layer_norm_epsilon > 0 && layer_norm_epsilon < 1)) {
    throw input_error(where, "layer_norm_epsilon is " + shortest_text(layer_norm_epsilon), "1e-6 is usual");
  }
  if (positional_encoding != "sinusoidal" && !learns_positions()) {
    throw input_error(where, "unknown positional_encoding \"" + positional_encoding + "\"",
                      "choose \"sinusoidal\" or \"learned\"");
  }
}

std::vector<std::pair<std::string, std::string>> ModelConfig::to_metadata() const {
  std::vector<std::pair<std::string, std::string>> metadata = {
      {"d_model", std::to_string(d_model)},
      {"d_ff", std::to_string(d_ff)},
      {"heads", std::to_string(heads)},
      {"encoder_layers", std::to_string(encoder_layers)},
      {"decoder_layers", std::to_string(decoder_layers)},
      {"vocab", std::to_string(vocab)},
      {"max_length", std::to_string(max_length)},
      {"layer_norm_epsilon", shortest_text(layer_norm_epsilon)},
      {"positional_encoding", positional_encoding}};
  if (d_k > 0) metadata.push_back({"d_k", std::to_string(d_k)});
  if (d_v > 0) metadata.push_back({"d_v", std::to_string(d_v)});
  return metadata;
}

ModelConfig ModelConfig::from_metadata(const std::vector<std::pair<std::string, std::string>>& pairs,
                                       const std::string& where) {
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
  config.positional_encoding = find(metadata, "positional_encoding", where);
  config.check(where);
  return config;
}

}  // namespace plainformer
