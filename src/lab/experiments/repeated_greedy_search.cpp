#include "lab/experiments/repeated_greedy_search.h"

#include <algorithm>

#include "decoding/next_tokens.h"
#include "transformer/output_projection.h"
#include "transformer/translation_batch.h"

namespace plainformer {

namespace {

constexpr std::size_t kSentencesAtOnce = 64;

// The row of the newest position of each sentence.    x [batch, len, d] -> [batch, 1, d]
Tensor newest_rows(const Tensor& x) {
  const Index batch = x.dim(0), len = x.dim(1), d = x.dim(2);
  Tensor newest({batch, 1, d});
  Real* to = newest.mutable_data();
  for (Index b = 0; b < batch; ++b) to = std::copy_n(x.data() + ((b + 1) * len - 1) * d, d, to);
  return newest;
}

std::vector<std::vector<int>> translations_at_once(const EncoderDecoder& model,
                                                   const std::vector<std::vector<int>>& sources,
                                                   Index extra_length) {
  // Step 1. Encode the sources, and start each translation with <s>.
  const TokenBatch source = TokenBatch::from(with_end(sources));
  const Tensor memory = model.encode(source);
  std::vector<std::vector<int>> prefixes(sources.size(), {kStartId}), translations(sources.size());
  std::vector<bool> ended(sources.size(), false);

  while (std::find(ended.begin(), ended.end(), false) != ended.end()) {
    // Step 2. Predict the next token of each.
    const Tensor output = model.decode(TokenBatch::from(prefixes), memory, source.lengths);
    const NextTokens next = next_tokens(output_projection_forward(newest_rows(output), model.embedding), 1);

    // Step 3. Append the most probable one. </s> ends the translation, and so does the limit.
    for (std::size_t i = 0; i < sources.size(); ++i) {
      prefixes[i].push_back(next.best[i].token);
      const bool at_limit = std::ssize(translations[i]) == std::ssize(sources[i]) + extra_length;
      ended[i] = ended[i] || at_limit || next.end[i] >= next.best[i].log_probability;
      if (!ended[i]) translations[i].push_back(next.best[i].token);
    }
  }
  return translations;
}

}  // namespace

std::vector<std::vector<int>> repeated_greedy_search(const EncoderDecoder& model,
                                                     const std::vector<std::vector<int>>& sources,
                                                     Index extra_length) {
  std::vector<std::vector<int>> translations;
  for (std::size_t first = 0; first < sources.size(); first += kSentencesAtOnce) {
    const std::size_t end = std::min(sources.size(), first + kSentencesAtOnce);
    for (auto& translation : translations_at_once(model,
                                                  {sources.begin() + static_cast<std::ptrdiff_t>(first),
                                                   sources.begin() + static_cast<std::ptrdiff_t>(end)},
                                                  extra_length))
      translations.push_back(std::move(translation));
  }
  return translations;
}

}  // namespace plainformer
