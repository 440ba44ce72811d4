// The attention weights of the preset `toy`, trained with its default options, for one sentence: a part of
// docs/pictures/attention.json, which `plainformer attention --json` wrote.
#pragma once

#include <string>
#include <vector>

#include "core/tensor.h"

namespace plainformer {

// The tokens that the encoder read, and those that the decoder predicted.
std::vector<std::string> toy_source();
std::vector<std::string> toy_target();

// Layer 1 (the last one), all four heads.    [heads, source_len, source_len]
Tensor toy_encoder_weights();

// Encoder-decoder attention of layer 1, heads 0 and 1.    [heads, target_len, source_len]
Tensor toy_encoder_decoder_weights();

}  // namespace plainformer
