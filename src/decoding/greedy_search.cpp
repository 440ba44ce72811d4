#include "decoding/greedy_search.h"

#include <numeric>

#include "core/special_symbols.h"
#include "decoding/next_tokens.h"
#include "decoding/plain_decoder.h"

namespace plainformer {

std::vector<Hypothesis> greedy_search(const Transformer& model, const std::vector<std::vector<int>>& sources,
                                      const SearchLimits& limits) {
  if (sources.empty()) return {};

  // Step 1. Encode the sources, and start each translation with <s>.
  const EncodedSources encoded = encode_sources(model, sources);
  std::vector<Hypothesis> translations(sources.size(), {.tokens = {kStartId}});
  std::vector<Index> unfinished(sources.size());
  std::iota(unfinished.begin(), unfinished.end(), Index{0});

  while (!unfinished.empty()) {
    // Step 2. Predict the next token of each unfinished translation.
    std::vector<std::vector<int>> prefixes;
    for (const Index sentence : unfinished) prefixes.push_back(translations[sentence].tokens);
    const NextTokens next = next_tokens(next_logits(model, encoded, prefixes, unfinished), 1);

    // Step 3. Append the most probable one. </s> ends the translation, and is the only choice at the limit.
    std::vector<Index> still_unfinished;
    for (Index row = 0; row < std::ssize(unfinished); ++row) {
      const Index sentence = unfinished[row];
      Hypothesis& translation = translations[sentence];
      const Index limit = limits.output_limit(std::ssize(sources[sentence]), model.config().max_length);
      const bool at_limit = std::ssize(translation.tokens) - 1 == limit;
      if (at_limit || next.end[row] >= next.best[row].log_probability) {
        translation.log_probability += next.end[row];
        continue;
      }
      translation.tokens.push_back(next.best[row].token);
      translation.log_probability += next.best[row].log_probability;
      still_unfinished.push_back(sentence);
    }
    unfinished = std::move(still_unfinished);
  }

  for (Hypothesis& translation : translations) {
    translation.tokens.erase(translation.tokens.begin());  // <s>
    translation.score = translation.log_probability;
  }
  return translations;
}

}  // namespace plainformer
