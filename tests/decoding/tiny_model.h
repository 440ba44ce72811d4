// Small random models and sources: what the tests of decoding translate.
#pragma once

#include "core/random.h"
#include "core/special_symbols.h"
#include "support/small_model.h"
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

// The logits of the token after a prefix, by the whole model at once.    -> [vocab]
//   source, prefix   without </s>; the prefix with <s>
inline std::vector<double> logits_after(const Transformer& model, const std::vector<int>& source,
                                        const std::vector<int>& prefix) {
  const TokenBatch sources = TokenBatch::from(with_end({source}));
  const Tensor logits = logits_of(model, sources, TokenBatch::from({prefix}), DropoutState{});
  return {logits.data() + logits.size() - logits.dim(2), logits.data() + logits.size()};
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
