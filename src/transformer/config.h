// Paper: 3.1 Encoder and Decoder Stacks (the sizes), Table 3
#pragma once

#include <string>

#include "core/real.h"

namespace plainformer {

// The vectors that are added to the embeddings (3.5): sines and cosines, or learned ones (Table 3, row E).
enum class Positions { kSinusoidal, kLearned };

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
  Positions positions = Positions::kSinusoidal;

  // The most layers of a stack. A tensor file's header has room to list their weights and Adam's moments.
  static constexpr Index kMaxLayers = 256;

  // The columns of one head: of its queries and keys, and of its values.
  Index head_d_k() const { return d_k > 0 ? d_k : d_model / heads; }
  Index head_d_v() const { return d_v > 0 ? d_v : d_model / heads; }

  bool learns_positions() const { return positions == Positions::kLearned; }

  bool operator==(const ModelConfig&) const = default;

  // Throws std::runtime_error, which names `where`, the invalid value and the valid ones.
  void check(const std::string& where) const;
};

}  // namespace plainformer
