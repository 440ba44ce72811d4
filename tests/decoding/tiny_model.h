// Small random models and sources: what the tests of decoding translate.
#pragma once

#include "core/random.h"
#include "core/special_symbols.h"
#include "transformer/transformer.h"

namespace plainformer {

// Pairwise different extents; an untrained model's probabilities are uneven enough to search among.
inline Transformer tiny_model(std::uint64_t seed, Index vocab = 11, Index max_length = 24) {
  const ModelConfig config = {.d_model = 12,
                              .d_ff = 10,
                              .heads = 3,
                              .encoder_layers = 1,
                              .decoder_layers = 2,
                              .vocab = vocab,
                              .max_length = max_length};
  return Transformer(config, seed);
}

// The whole model at once, without any search.    -> [batch, target_len, vocab]
inline Tensor logits_of(const Transformer& model, const TokenBatch& source, const TokenBatch& target_input) {
  Transformer::Cache cache;
  return output_projection_forward(model.forward(source, target_input, {}, cache), model.embedding);
}

// Sentences of 0 to 7 ordinary tokens (<unk> included).
inline std::vector<std::vector<int>> random_sources(std::uint64_t seed, Index count, Index vocab = 11) {
  Random random(random_stream(seed, 1, 0));
  std::vector<std::vector<int>> sources(count);
  for (auto& source : sources) {
    source.resize(random.below(8));
    for (int& token : source) token = static_cast<int>(kUnknownId + random.below(vocab - kUnknownId));
  }
  return sources;
}

}  // namespace plainformer
