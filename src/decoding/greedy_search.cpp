#include "decoding/greedy_search.h"

#include "core/special_symbols.h"
#include "decoding/beam.h"
#include "decoding/beam_search.h"
#include "decoding/cached_decoder.h"

namespace plainformer {

Hypothesis greedy_translation(const NextLogits& next_logits, Index output_limit, int first_token) {
  // Step 1. Start the translation with <s>.
  Hypothesis translation;
  int newest = kStartId;

  while (true) {
    // Step 2. Predict the next token.
    const NextTokens next = next_tokens(next_logits(newest), 1, first_token);

    // Step 3. Append the most probable one. </s> ends the translation, and is the only choice at the limit.
    const bool at_limit = std::ssize(translation.tokens) == output_limit;
    if (at_limit || next.end[0] >= next.best[0].log_probability) {
      translation.log_probability += next.end[0];
      break;
    }
    newest = next.best[0].token;
    translation.tokens.push_back(newest);
    translation.log_probability += next.best[0].log_probability;
  }
  translation.score = translation.log_probability;
  return translation;
}

std::vector<Hypothesis> greedy_search(const Transformer& model, const std::vector<std::vector<int>>& sources,
                                      const SearchLimits& limits) {
  std::vector<Hypothesis> translations;
  for (const std::vector<int>& source : sources) {
    const Index limit = limits.output_limit(std::ssize(source), model.config().max_length);
    CachedDecoder decoder(model, encode_sources(model, {source}).memory);
    const auto next_logits = [&](int newest) { return decoder.step(newest); };
    translations.push_back(greedy_translation(next_logits, limit, limits.first_token()));
  }
  return translations;
}

}  // namespace plainformer
