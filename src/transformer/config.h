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
  Index encoder_layers = 6;
  Index decoder_layers = 6;
  Index vocab = 0;
  Index max_length = 1024;  // the longest sequence, with its special symbols
  Real layer_norm_epsilon = static_cast<Real>(1e-6);
  std::string positional_encoding = "sinusoidal";  // or "learned" (3.5; Table 3, row E)

  // In a stack. Of so many a training state still fits into a file's header, with its moments.
  static constexpr Index kMaxLayers = 256;

  bool learns_positions() const { return positional_encoding == "learned"; }

  bool operator==(const ModelConfig&) const = default;

  // std::runtime_error that names `where`, the value that does not fit, and what would.
  void validate(const std::string& where) const;

  // As strings, under the names of the contract (design of the model folder), in a fixed order.
  std::vector<std::pair<std::string, std::string>> to_metadata() const;

  // Reads what to_metadata wrote; other keys are ignored. Validated; `where` names the file in errors.
  static ModelConfig from_metadata(const std::vector<std::pair<std::string, std::string>>& metadata,
                                   const std::string& where);
};

}  // namespace plainformer
