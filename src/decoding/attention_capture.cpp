#include "decoding/attention_capture.h"

#include <algorithm>
#include <cmath>

#include "core/input_error.h"
#include "ops/ways.h"
#include "transformer/token_batch.h"

namespace plainformer {

namespace {

// The weights without the axis of the batch, which is one sentence. NaN is an error, because a page and a
// file would show it as 0.
Tensor weights_of(const MultiHeadAttention::Cache& cache) {
  const Tensor& weights = cache.attention.weights;  // [1, heads, query_len, key_len]
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
  Ways plain_attention = ways;
  plain_attention.attention = Way::kPlain;
  const WaysInScope in_scope(plain_attention);
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
