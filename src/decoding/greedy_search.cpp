#include "decoding/greedy_search.h"

#include "core/special_symbols.h"
#include "decoding/next_tokens.h"
#include "decoding/plain_decoder.h"

namespace plainformer {

std::vector<std::vector<int>> greedy_search(const Transformer& model,
                                            const std::vector<std::vector<int>>& sources,
                                            const SearchLimits& limits) {
  if (sources.empty()) return {};

  // Step 1. Encode the sources, and start each translation with <s>.
  const EncodedSources encoded = encode_sources(model, sources);
  std::vector<std::vector<int>> translations(sources.size(), {kStartId});
  std::vector<Index> unfinished;
  for (Index sentence = 0; sentence < std::ssize(sources); ++sentence) {
    if (limits.output_limit(std::ssize(sources[sentence]), model.config().max_length) > 0)
      unfinished.push_back(sentence);
  }

  while (!unfinished.empty()) {
    // Step 2. Predict the next token of each unfinished translation.
    std::vector<std::vector<int>> prefixes;
    for (const Index sentence : unfinished) prefixes.push_back(translations[sentence]);
    const NextTokens next = next_tokens(next_logits(model, encoded, prefixes, unfinished), 1);

    // Step 3. Append it. A translation is finished by </s>, which is not kept, or by its limit.
    std::vector<Index> still_unfinished;
    for (Index row = 0; row < std::ssize(unfinished); ++row) {
      const Index sentence = unfinished[row];
      if (next.end[row] >= next.best[row].log_probability) continue;
      translations[sentence].push_back(next.best[row].token);
      const Index limit = limits.output_limit(std::ssize(sources[sentence]), model.config().max_length);
      if (std::ssize(translations[sentence]) - 1 < limit) still_unfinished.push_back(sentence);
    }
    unfinished = std::move(still_unfinished);
  }

  for (auto& translation : translations) translation.erase(translation.begin());  // <s>
  return translations;
}

}  // namespace plainformer
