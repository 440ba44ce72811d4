// The small model of the golden files, and its batches. encoder_layer and decoder_layer have one layer of it.
#pragma once

#include "golden/golden.h"
#include "transformer/token_batch.h"
#include "transformer/transformer.h"

namespace plainformer::golden {

inline ModelConfig golden_config() {
  ModelConfig config;
  config.d_model = 12;
  config.d_ff = 20;
  config.heads = 3;
  config.encoder_layers = 2;
  config.decoder_layers = 2;
  config.vocab = 11;
  config.max_length = 10;
  return config;
}

inline TranslationBatch golden_batch(const GoldenCase& golden, const std::string& prefix) {
  return {golden.tokens(prefix + "source_ids", prefix + "source_lengths"),
          golden.tokens(prefix + "target_input", prefix + "target_lengths"),
          golden.tokens(prefix + "target_output", prefix + "target_lengths")};
}

}  // namespace plainformer::golden
