#include "lab/experiments/recomputing_search.h"

#include <algorithm>

#include "decoding/encoded_sources.h"
#include "decoding/next_tokens.h"
#include "transformer/translation_batch.h"

namespace plainformer {

namespace {

constexpr std::size_t kTogether = 64;  // sentences of a batch

Tensor input_of(const Transformer& model, const TokenBatch& tokens, const RecomputingSearch& search) {
  return model.add_positions(embedding_forward(tokens, model.embedding), search.first_position);
}

EncodedSources encode(const Transformer& model, const std::vector<std::vector<int>>& sources,
                      const RecomputingSearch& search) {
  const TokenBatch tokens = TokenBatch::from(with_end(sources));
  const AttentionMask mask = {.key_lengths = tokens.lengths, .causal = false};
  return {.memory = model.encoder.forward(input_of(model, tokens, search), mask), .lengths = tokens.lengths};
}

// [prefixes, target_len, d_model]
Tensor decode(const Transformer& model, const EncodedSources& encoded,
              const std::vector<std::vector<int>>& prefixes, const RecomputingSearch& search) {
  const TokenBatch tokens = TokenBatch::from(prefixes);
  const AttentionMask target_mask = {.key_lengths = tokens.lengths, .causal = search.causal};
  const AttentionMask source_mask = {.key_lengths = encoded.lengths, .causal = false};
  return model.decoder.forward(input_of(model, tokens, search), encoded.memory, target_mask, source_mask);
}

// The newest position of each prefix.    [prefixes, target_len, d_model] -> [prefixes, 1, d_model]
Tensor newest_of(const Tensor& output) {
  const Index rows = output.dim(0), target_len = output.dim(1), d_model = output.dim(2);
  Tensor newest({rows, 1, d_model});
  Real* to = newest.mutable_data();
  for (Index row = 0; row < rows; ++row)
    to = std::copy_n(output.data() + ((row + 1) * target_len - 1) * d_model, d_model, to);
  return newest;
}

std::vector<std::vector<int>> translate_batch(const Transformer& model,
                                              const std::vector<std::vector<int>>& sources,
                                              const SearchLimits& limits, const RecomputingSearch& search) {
  // Step 1. Encode the sources, and start each translation with <s>.
  const EncodedSources encoded = encode(model, sources, search);
  std::vector<std::vector<int>> translations(sources.size());
  std::vector<Index> live(sources.size());
  for (std::size_t i = 0; i < live.size(); ++i) live[i] = static_cast<Index>(i);

  while (!live.empty()) {
    // Step 2. Compute all positions of each translation that is not at its end, and predict the next token.
    std::vector<std::vector<int>> prefixes;
    for (const Index i : live) {
      prefixes.push_back({kStartId});
      prefixes.back().insert(prefixes.back().end(), translations[i].begin(), translations[i].end());
    }
    const Tensor newest = newest_of(decode(model, select(encoded, live), prefixes, search));
    const NextTokens next = next_tokens(output_projection_forward(newest, model.embedding), 1);

    // Step 3. Append the most probable one. </s> ends a translation, and is the only choice at the limit.
    std::vector<Index> going_on;
    for (std::size_t row = 0; row < live.size(); ++row) {
      std::vector<int>& translation = translations[live[row]];
      const Index limit = limits.output_limit(std::ssize(sources[live[row]]),
                                              model.config().max_length - search.first_position);
      if (std::ssize(translation) == limit || next.end[row] >= next.best[row].log_probability) continue;
      translation.push_back(next.best[row].token);
      going_on.push_back(live[row]);
    }
    live = going_on;
  }
  return translations;
}

}  // namespace

std::vector<std::vector<int>> translate_recomputing(const Transformer& model,
                                                    const std::vector<std::vector<int>>& sources,
                                                    const SearchLimits& limits,
                                                    const RecomputingSearch& search) {
  std::vector<std::vector<int>> translations;
  for (std::size_t begin = 0; begin < sources.size(); begin += kTogether) {
    const std::size_t end = std::min(begin + kTogether, sources.size());
    const auto at = [&](std::size_t i) { return sources.begin() + static_cast<std::ptrdiff_t>(i); };
    for (std::vector<int>& each : translate_batch(model, {at(begin), at(end)}, limits, search))
      translations.push_back(std::move(each));
  }
  return translations;
}

Tensor decoder_output(const Transformer& model, const std::vector<int>& source,
                      const std::vector<int>& target, const RecomputingSearch& search) {
  std::vector<int> prefix = {kStartId};
  prefix.insert(prefix.end(), target.begin(), target.end());
  return decode(model, encode(model, {source}, search), {prefix}, search);
}

}  // namespace plainformer
