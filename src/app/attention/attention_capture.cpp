#include "app/attention/attention_capture.h"

#include "ops/ways.h"
#include "transformer/translation_batch.h"

namespace plainformer {

namespace {

// Without the batch, which is one sentence.
Tensor weights_of(const MultiHeadAttention::Cache& cache) {
  const Tensor& weights = cache.attention.weights;  // [1, heads, query_len, key_len]
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
