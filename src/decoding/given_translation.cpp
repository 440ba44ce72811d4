#include "decoding/given_translation.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/input_error.h"
#include "decoding/beam.h"
#include "decoding/decode_all.h"
#include "ops/reductions.h"
#include "ops/ways.h"
#include "transformer/token_batch.h"

namespace plainformer {

namespace {

constexpr Index kBatch = 32;         // pairs at once
constexpr Index kMostTokens = 4096;  // tokens of both sides at once

std::vector<SequenceScore> score_batch(const Transformer& model, const TranslationBatch& batch) {
  const Tensor memory = model.encode(batch.source);
  const Tensor output = model.decode(batch.target_input, memory, batch.source.lengths);
  const Tensor logits = output_projection_forward(output, model.embedding);
  const Tensor normalizer = log_sum_exp(logits);  // [batch * target_len]
  const Index target_len = batch.target_output.len;

  std::vector<SequenceScore> scores;
  for (Index element = 0; element < batch.target_output.batch; ++element) {
    SequenceScore score = {.log_probability = 0, .tokens = batch.target_output.lengths[element]};
    for (Index i = element * target_len; i < element * target_len + score.tokens; ++i) {
      const Real logit = logits(i, batch.target_output.ids[i]);
      score.log_probability += log_probability_of(logit, normalizer(i));
    }
    scores.push_back(score);
  }
  return scores;
}

}  // namespace

std::vector<SequenceScore> score_sequences(const Transformer& model,
                                           const std::vector<std::vector<int>>& sources,
                                           const std::vector<std::vector<int>>& targets) {
  CHECK(sources.size() == targets.size(), sources.size(), " sources, ", targets.size(), " targets");
  std::vector<Index> lengths;
  for (std::size_t i = 0; i < sources.size(); ++i)
    lengths.push_back(std::ssize(sources[i]) + std::ssize(targets[i]));

  std::vector<SequenceScore> scores(sources.size());
  for (const std::vector<Index>& numbers : batches_by_length(lengths, kBatch, kMostTokens)) {
    std::vector<std::vector<int>> batch_sources, batch_targets;
    for (const Index i : numbers) {
      batch_sources.push_back(sources[i]);
      batch_targets.push_back(targets[i]);
    }
    const auto batch_scores = score_batch(model, TranslationBatch::from(batch_sources, batch_targets));
    for (std::size_t i = 0; i < numbers.size(); ++i) scores[numbers[i]] = batch_scores[i];
  }
  return scores;
}

namespace {

// The weights without the axis of the batch, which is one sentence. NaN is an error, because a page or a
// file could not hold it.
Tensor weights_of(const MultiHeadAttention::Cache& cache) {
  const Tensor& weights =
      std::get<AttentionCache>(cache.attention).weights;  // [1, heads, query_len, key_len]
  if (!std::all_of(weights.data(), weights.data() + weights.size(),
                   [](Real w) { return std::isfinite(w); })) {
    throw input_error("model", "its attention is not a finite number",
                      "its weights are damaged; train it again");
  }
  return weights.reshaped({weights.dim(1), weights.dim(2), weights.dim(3)});
}

}  // namespace

AttentionWeights capture_attention(const Transformer& model, const std::vector<int>& source,
                                   const std::vector<int>& target) {
  const WaysInScope in_scope(with_plain_attention());
  const TranslationBatch pair = TranslationBatch::from({source}, {target});
  Transformer::Cache cache;
  model.forward(pair.source, pair.target_input, DropoutState{}, cache);

  AttentionWeights weights;
  for (const EncoderLayer::Cache& layer : cache.encoder.layers)
    weights.encoder_self.push_back(weights_of(layer.self_attention));
  for (const DecoderLayer::Cache& layer : cache.decoder.layers) {
    weights.decoder_self.push_back(weights_of(layer.self_attention));
    weights.encoder_decoder.push_back(weights_of(layer.encoder_decoder_attention));
  }
  return weights;
}

}  // namespace plainformer
