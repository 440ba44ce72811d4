// The recorded attention weights of the preset `toy`, trained with its default options, for one sentence
// (docs/pictures/attention.json). `plainformer attention --json` wrote them.
#pragma once

#include <string>
#include <vector>

#include "core/tensor.h"

namespace plainformer {

// The last layer.
struct ToyAttention {
  std::vector<std::string> source;  // the tokens that the encoder read
  std::vector<std::string> target;  // the tokens that the decoder predicted
  Tensor encoder;                   // self-attention, [heads, source_len, source_len]
  Tensor encoder_decoder;           // [heads, target_len, source_len]
};

// Reads the file. std::runtime_error that names it, if it is not what `plainformer attention --json` writes.
ToyAttention read_toy_attention(const std::string& file);

}  // namespace plainformer
