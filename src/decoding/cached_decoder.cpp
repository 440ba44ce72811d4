#include "decoding/cached_decoder.h"

#include <algorithm>

#include "core/check.h"
#include "decoding/beam_search.h"
#include "ops/linear.h"

namespace plainformer {

namespace {

// kept [1, len, width], newest [1, 1, width] -> [1, len + 1, width]
Tensor appended(const Tensor& kept, const Tensor& newest) {
  const Index len = kept.dim(1), width = kept.dim(2);
  Tensor longer({1, len + 1, width});
  Real* const end = std::copy_n(kept.data(), len * width, longer.mutable_data());
  std::copy_n(newest.data(), width, end);
  return longer;
}

}  // namespace

CachedDecoder::CachedDecoder(const Transformer& model, const Tensor& memory) : model_(model) {
  CHECK_SHAPE(memory, 1, memory.dim(1), model.config().d_model);
  for (const DecoderLayer& layer : model.decoder.layers) {
    const MultiHeadAttention& self = layer.self_attention;
    past_.push_back(
        {.keys = Tensor({1, 0, self.w_k.value.dim(1)}), .values = Tensor({1, 0, self.w_v.value.dim(1)})});
    const MultiHeadAttention& cross = layer.encoder_decoder_attention;
    source_.push_back(
        {.keys = linear_forward(memory, cross.w_k), .values = linear_forward(memory, cross.w_v)});
  }
}

Tensor CachedDecoder::step(int token) {
  // Step 1. Embed the token and add its position.
  const TokenBatch newest = TokenBatch::from({{token}});
  Tensor x =
      model_.positions.forward(embedding_forward(newest, model_.embedding), position_++);  // [1, 1, d_model]

  // Step 2. Run the layers.
  for (std::size_t i = 0; i < past_.size(); ++i)
    x = layer_forward(model_.decoder.layers[i], x, past_[i], source_[i]);

  // Step 3. Project to the vocabulary.
  return output_projection_forward(x, model_.embedding);
}

// DecoderLayer::forward for the newest position.
Tensor CachedDecoder::layer_forward(const DecoderLayer& layer, const Tensor& x, KeysAndValues& past,
                                    const KeysAndValues& source) const {
  // Step 1. Masked self-attention: append the newest key and value, then attend to all of them.
  past.keys = appended(past.keys, linear_forward(x, layer.self_attention.w_k));
  past.values = appended(past.values, linear_forward(x, layer.self_attention.w_v));
  const Tensor y = layer.self_attention_norm.forward(x, attend(layer.self_attention, x, past));

  // Step 2. Encoder-decoder attention: attend to the whole source.
  const Tensor z =
      layer.encoder_decoder_attention_norm.forward(y, attend(layer.encoder_decoder_attention, y, source));

  // Step 3. Feed-forward.
  return layer.feed_forward_norm.forward(z, layer.feed_forward.forward(z));
}

// MultiHeadAttention::forward for one query, on keys and values that are projected already.
//   query   [1, 1, d_model] -> the same shape
Tensor CachedDecoder::attend(const MultiHeadAttention& attention, const Tensor& query,
                             const KeysAndValues& visible) const {
  const AttentionMask all = {.key_lengths = {visible.keys.dim(1)}, .causal = false};
  MultiHeadAttention::Cache not_kept;
  const Tensor q = linear_forward(query, attention.w_q);  // [1, 1, heads * d_k]
  const Tensor concat = attention.attend(q, visible.keys, visible.values, all, not_kept);
  return linear_forward(concat, attention.w_o);
}

namespace {

// One sentence. The decoder is before its first step.
Hypothesis greedy_translation(CachedDecoder& decoder, Index output_limit, int first_token) {
  // Step 1. Start the translation with <s>.
  Hypothesis translation;
  int newest = kStartId;

  while (true) {
    // Step 2. Predict the next token.
    const NextTokens next = next_tokens(decoder.step(newest), 1, first_token);

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

}  // namespace

std::vector<Hypothesis> greedy_search(const Transformer& model, const std::vector<std::vector<int>>& sources,
                                      const SearchLimits& limits) {
  std::vector<Hypothesis> translations;
  for (const std::vector<int>& source : sources) {
    const Index limit = limits.output_limit(std::ssize(source), model.config().max_length);
    CachedDecoder decoder(model, encode_source(model, source));
    translations.push_back(greedy_translation(decoder, limit, limits.first_token()));
  }
  return translations;
}

}  // namespace plainformer
