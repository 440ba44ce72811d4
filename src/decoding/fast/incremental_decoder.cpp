#include "decoding/fast/incremental_decoder.h"

#include <numeric>

#include "core/writable_tensor.h"
#include "ops/elementwise.h"
#include "ops/linear.h"

namespace plainformer {

DecoderWeights::DecoderWeights(const Transformer& model)
    : layers(model.decoder.layers.begin(), model.decoder.layers.end()),
      vocabulary(model.embedding.value, Transpose::kYes) {}

DecoderWeights::Layer::Layer(const DecoderLayer& layer)
    : self_w_q(layer.self_attention.w_q.value),
      self_w_k(layer.self_attention.w_k.value),
      self_w_v(layer.self_attention.w_v.value),
      self_w_o(layer.self_attention.w_o.value),
      source_w_q(layer.encoder_decoder_attention.w_q.value),
      source_w_o(layer.encoder_decoder_attention.w_o.value),
      w_1(layer.feed_forward.w_1.value),
      w_2(layer.feed_forward.w_2.value) {}

namespace {

// [batch, len, width] -> [batch, width, len]
Tensor transposed(const Tensor& x) {
  const Index batch = x.dim(0), len = x.dim(1), width = x.dim(2);
  WritableTensor y({batch, width, len});
  for (Index b = 0; b < batch; ++b)
    for (Index i = 0; i < len; ++i)
      for (Index p = 0; p < width; ++p) y(b, p, i) = x(b, i, p);
  return y;
}

}  // namespace

IncrementalDecoder::IncrementalDecoder(const Transformer& model, const DecoderWeights& weights,
                                       const std::vector<std::vector<int>>& sources)
    : model_(model),
      weights_(weights),
      cache_(model.config().decoder_layers, std::ssize(sources),
             model.config().heads * model.config().head_d_k(),
             model.config().heads * model.config().head_d_v()) {
  const TokenBatch tokens = TokenBatch::from(with_end(sources));
  const Tensor memory = model.encode(tokens);  // [batch, source_len, d_model]
  source_lengths_ = tokens.lengths;
  source_positions_.resize(tokens.len);
  std::iota(source_positions_.begin(), source_positions_.end(), Index{0});
  for (const DecoderLayer& layer : model.decoder.layers) {
    const MultiHeadAttention& attention = layer.encoder_decoder_attention;
    source_.push_back({.keys = transposed(linear_forward(memory, attention.w_k)),
                       .values = linear_forward(memory, attention.w_v)});
  }
}

Tensor IncrementalDecoder::step(std::span<const GrownHypothesis> hypotheses) {
  cache_.extend(hypotheses);
  sentences_.clear();
  for (const GrownHypothesis& hypothesis : hypotheses) sentences_.push_back(hypothesis.sentence);

  // Step 1. Embed the newest tokens and add their position.
  TokenBatch newest = {.batch = std::ssize(hypotheses), .len = 1, .ids = {}, .lengths = {}};
  for (const GrownHypothesis& hypothesis : hypotheses) newest.ids.push_back(hypothesis.token);
  newest.lengths.assign(newest.batch, 1);
  Tensor x = model_.positions.forward(embedding_forward(newest, model_.embedding), position_++);

  // Step 2. Run the layers.
  for (Index layer = 0; layer < std::ssize(model_.decoder.layers); ++layer) x = layer_forward(layer, x);

  // Step 3. Project to the vocabulary.
  return weights_.vocabulary.product(x);  // [rows, 1, vocab]
}

// DecoderLayer::forward for the newest position, with prepared weights.    x [rows, 1, d_model]
Tensor IncrementalDecoder::layer_forward(Index number, const Tensor& x) {
  const DecoderLayer& layer = model_.decoder.layers[number];
  const DecoderWeights::Layer& w = weights_.layers[number];

  // Step 1. Masked self-attention: the newest position looks at itself and the earlier ones.
  cache_.store(number, w.self_w_k.product(x), w.self_w_v.product(x));
  const Tensor concat =
      cached_attention(w.self_w_q.product(x), cache_.groups(number), cache_.paths(), model_.config().heads);
  const Tensor y = layer.self_attention_norm.forward(x, w.self_w_o.product(concat));

  // Step 2. Encoder-decoder attention: it looks at the whole source.
  const Tensor looked_up = attend_to_source(number, w.source_w_q.product(y));
  const Tensor z = layer.encoder_decoder_attention_norm.forward(y, w.source_w_o.product(looked_up));

  // Step 3. Feed-forward.
  const Tensor hidden = relu_forward(w.w_1.product(z, layer.feed_forward.b_1.value.data()));
  return layer.feed_forward_norm.forward(z, w.w_2.product(hidden, layer.feed_forward.b_2.value.data()));
}

// q [rows, 1, heads * d_k] -> the heads' outputs side by side, [rows, 1, heads * d_v]
Tensor IncrementalDecoder::attend_to_source(Index number, const Tensor& q) const {
  const auto& [keys, values] = source_[number];
  const Index rows = std::ssize(sentences_), source_len = values.dim(1);
  const Index key_width = keys.dim(1), value_width = values.dim(2);

  // Neighboring hypotheses of one sentence look at the same keys and values.
  std::vector<QueryGroup> groups;
  std::vector<VisiblePositions> visible;
  for (Index row = 0; row < rows; ++row) {
    const Index sentence = sentences_[row], length = source_lengths_[sentence];
    visible.push_back(std::span(source_positions_).first(length));
    if (row > 0 && sentences_[row - 1] == sentence) {
      ++groups.back().rows;
      continue;
    }
    groups.push_back(
        {.first_row = row,
         .rows = 1,
         .keys = {keys.data() + sentence * source_len * key_width, key_width, length, source_len},
         .values = {values.data() + sentence * source_len * value_width, length, value_width, value_width}});
  }
  return cached_attention(q, groups, visible, model_.config().heads);
}

std::vector<Hypotheses> cached_beam_search(const Transformer& model, const DecoderWeights& weights,
                                           const std::vector<std::vector<int>>& sources,
                                           const SearchOptions& options) {
  options.check("beam search: ");
  if (sources.empty()) return {};
  IncrementalDecoder decoder(model, weights, sources);
  const auto step = [&](std::span<const GrownHypothesis> hypotheses) { return decoder.step(hypotheses); };
  return beam_search(step, output_limits(model, sources, options.limits), options);
}

}  // namespace plainformer
