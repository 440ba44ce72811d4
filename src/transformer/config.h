// Paper: 3.1 Encoder and Decoder Stacks (the sizes), Table 3
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/real.h"

namespace plainformer {

struct ModelConfig {
  Index d_model = 512;
  Index d_ff = 2048;
  Index heads = 8;
  Index d_k = 0, d_v = 0;  // columns of a head (Table 3, row B); 0: d_model / heads, as in the base model
  Index encoder_layers = 6;
  Index decoder_layers = 6;
  Index vocab = 0;
  Index max_length = 1024;  // the longest sequence, with its special symbols
  Real layer_norm_epsilon = static_cast<Real>(1e-6);
  std::string positional_encoding = "sinusoidal";  // or "learned" (3.5; Table 3, row E)

  // In each stack. The header of a tensor file has room to list the weights and Adam's moments of this many
  // layers.
  static constexpr Index kMaxLayers = 256;

  Index key_width() const { return d_k > 0 ? d_k : d_model / heads; }    // d_k
  Index value_width() const { return d_v > 0 ? d_v : d_model / heads; }  // d_v
  bool learns_positions() const { return positional_encoding == "learned"; }

  bool operator==(const ModelConfig&) const = default;

  // Throws std::runtime_error, which names `where`, the invalid value and the valid ones.
  void check(const std::string& where) const;

  // The metadata of a model.safetensors: each value as a string under its member's name, in a fixed order.
  std::vector<std::pair<std::string, std::string>> to_metadata() const;

  // Undoes to_metadata, and checks the result; other keys are ignored. `where` names the file in errors.
  static ModelConfig from_metadata(const std::vector<std::pair<std::string, std::string>>& metadata,
                                   const std::string& where);
};

}  // namespace plainformer
