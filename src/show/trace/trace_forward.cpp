#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/cross_entropy.h"
#include "ops/embedding_lookup.h"
#include "ops/linear.h"
#include "ops/reductions.h"
#include "ops/softmax.h"
#include "ops/ways.h"
#include "show/html_page.h"
#include "show/steps/steps_page.h"
#include "show/trace/trace_passes.h"

namespace plainformer {

namespace {

constexpr Index kBest = 5;

Tensor ids_of(const TokenBatch& tokens) {
  Tensor ids({tokens.batch, tokens.len});
  for (Index i = 0; i < ids.size(); ++i) ids.mutable_data()[i] = static_cast<Real>(tokens.ids[i]);
  return ids;
}

// 1 where a query sees a key, else 0.    visible_keys [heads, query_len], equal in all heads
Tensor mask_of(const std::vector<Index>& visible_keys, Index query_len, Index key_len) {
  Tensor mask = Tensor::zeros({query_len, key_len});
  for (Index i = 0; i < query_len; ++i)
    for (Index j = 0; j < visible_keys[i]; ++j) mask.mutable_data()[i * key_len + j] = 1;
  return mask;
}

class ForwardTrace : PassTrace {
 public:
  ForwardTrace(const Transformer& model, const TracePass& pass, TraceRecorder& recorder)
      : PassTrace(pass, recorder), model_(model) {}

  void input(const std::string& side, const TokenBatch& tokens, const TraceAxis& positions) {
    enter({"Forward", side == "source" ? "Source" : "Target", "Embedding and positions"}, side);
    add("ids", ids_of(tokens), {positions});
    if (side == "source") parameters_of_inputs();
    place_ = side;
    add("embedding", embedding_lookup_forward(tokens.ids, model_.embedding), {positions, d_model_});
    const Tensor scaled = embedding_forward(tokens, model_.embedding);
    add("scaled", scaled, {positions, d_model_});
    TraceRecord& record =
        add("positions", model_.positions.forward(Tensor::zeros(scaled.shape())), {positions, d_model_});
    if (model_.positions.is_learned()) record.equation = "positions = the learned vectors of the positions";
    add("input", model_.positions.forward(scaled), {positions, d_model_});
  }

  void encoder_layer(std::size_t i, const Transformer::Cache& cache) {
    const EncoderLayer& layer = model_.encoder.layers[i];
    const EncoderLayer::Cache& c = cache.encoder.layers[i];
    const bool last = i + 1 == model_.encoder.layers.size();
    const LayerPlace at = encoder_place(i);
    attention(at, self_attention(at), layer.self_attention, c.self_attention);
    norm(at, "self-attention", layer.self_attention_norm, c.self_attention_norm, c.feed_forward.x);
    feed_forward(at, layer.feed_forward, c.feed_forward);
    norm(at, "feed-forward", layer.feed_forward_norm, c.feed_forward_norm,
         last ? cache.decoder.layers[0].encoder_decoder_attention.key_input
              : cache.encoder.layers[i + 1].self_attention.query_input);
  }

  void decoder_layer(std::size_t i, const Transformer::Cache& cache, const Tensor& decoder_output) {
    const DecoderLayer& layer = model_.decoder.layers[i];
    const DecoderLayer::Cache& c = cache.decoder.layers[i];
    const bool last = i + 1 == model_.decoder.layers.size();
    const LayerPlace at = decoder_place(i);
    attention(at, self_attention(at), layer.self_attention, c.self_attention);
    norm(at, "self-attention", layer.self_attention_norm, c.self_attention_norm,
         c.encoder_decoder_attention.query_input);
    attention(at, encoder_decoder_attention(at), layer.encoder_decoder_attention,
              c.encoder_decoder_attention);
    norm(at, "encoder-decoder attention", layer.encoder_decoder_attention_norm,
         c.encoder_decoder_attention_norm, c.feed_forward.x);
    feed_forward(at, layer.feed_forward, c.feed_forward);
    norm(at, "feed-forward", layer.feed_forward_norm, c.feed_forward_norm,
         last ? decoder_output : cache.decoder.layers[i + 1].self_attention.query_input);
  }

  void prediction(const Tensor& logits) {
    enter({"Forward", "Prediction", "Logits, probabilities, loss"}, "");
    const Index len = logits.dim(1), vocab = logits.dim(2);
    const std::vector<int> targets = pass_.pair.targets();
    add("logits", logits, {pass_.target_input, pass_.vocabulary});
    const Tensor p = softmax_forward(logits, std::vector<Index>(len, vocab));
    add("probabilities", p, {pass_.target_input, pass_.vocabulary});
    best(p);
    Tensor of_target({len});
    for (Index i = 0; i < len; ++i) of_target.mutable_data()[i] = p(i, targets[i]);
    add("target_probability", of_target, {pass_.target_output});
    Tensor loss({1});
    loss.mutable_data()[0] =
        static_cast<Real>(cross_entropy_forward(logits, targets, pass_.label_smoothing).loss);
    add("loss", loss, {axis("sum")});
  }

 private:
  void attention(const LayerPlace& layer_place, const AttentionPlace& at, const MultiHeadAttention& layer,
                 const MultiHeadAttention::Cache& cache) {
    enter({"Forward", layer_place.title, at.title}, at.name);
    const auto& [q, k, v, visible_keys, weights] = std::get<AttentionCache>(cache.attention);
    add("w_q", layer.w_q.value, {d_model_, heads_d_k_});
    add("w_k", layer.w_k.value, {d_model_, heads_d_k_});
    add("w_v", layer.w_v.value, {d_model_, heads_d_v_});
    add("q", q, {heads_, at.queries, d_k_});
    add("k", k, {heads_, at.keys, d_k_});
    add("v", v, {heads_, at.keys, d_v_});
    const Tensor products = head_products(q, k);
    add("products", products, {heads_, at.queries, at.keys});
    add("scores", divide_by_root(products, q.dim(3)), {heads_, at.queries, at.keys});
    add("mask", mask_of(visible_keys, q.dim(2), k.dim(2)), {at.queries, at.keys});
    add("weights", weights, {heads_, at.queries, at.keys});
    add("head", split_heads(cache.concat, q.dim(1)), {heads_, at.queries, d_v_});
    add("concat", cache.concat, {at.queries, heads_d_v_});
    add("w_o", layer.w_o.value, {heads_d_v_, d_model_});
    add("output", linear_forward(cache.concat, layer.w_o), {at.queries, d_model_});
  }

  void feed_forward(const LayerPlace& at, const FeedForward& layer, const FeedForward::Cache& cache) {
    enter({"Forward", at.title, "Feed-forward"}, at.name + ".feed_forward");
    add("w_1", layer.w_1.value, {d_model_, d_ff_});
    add("b_1", layer.b_1.value, {d_ff_});
    add("inner", linear_bias_forward(cache.x, layer.w_1, layer.b_1), {at.tokens, d_ff_});
    add("hidden", cache.hidden, {at.tokens, d_ff_});
    add("w_2", layer.w_2.value, {d_ff_, d_model_});
    add("b_2", layer.b_2.value, {d_model_});
    add("output", linear_bias_forward(cache.hidden, layer.w_2, layer.b_2), {at.tokens, d_model_});
  }

  // sublayer: "self-attention"; output: the norm's, which is the input of the next sub-layer
  void norm(const LayerPlace& at, const std::string& sublayer, const ResidualLayerNorm& layer,
            const ResidualLayerNorm::Cache& cache, const Tensor& output) {
    std::string name = sublayer;
    for (char& character : name)
      if (character == '-' || character == ' ') character = '_';
    enter({"Forward", at.title, "Add & norm after " + sublayer}, at.name + "." + name + "_norm");
    add("sum", cache.norm.x, {at.tokens, d_model_});
    add("mean", cache.norm.mean, {at.tokens});
    add("rstd", cache.norm.rstd, {at.tokens});
    add("gain", layer.gain.value, {d_model_});
    add("bias", layer.bias.value, {d_model_});
    add("output", output, {at.tokens, d_model_});
  }

  // The tables in which both sides look up their rows: the matrix, and learned positions.
  void parameters_of_inputs() {
    place_ = "";
    add("embedding", model_.embedding.value, {pass_.vocabulary, d_model_});
    if (model_.positions.is_learned())
      add("position_embedding", model_.positions.table.value, {axis("max_length"), d_model_});
  }

  void best(const Tensor& probabilities) {
    const Index count = std::min(kBest, probabilities.dim(2));
    const TopK top = top_k(probabilities, /*first_column=*/0, count);
    Tensor values({probabilities.dim(1), count});
    std::copy(top.values.begin(), top.values.end(), values.mutable_data());
    const TraceAxis rank = {.name = "rank", .words = std::make_shared<Words>(Words{"1", "2", "3", "4", "5"})};
    TraceRecord& record = add("best", values, {pass_.target_input, rank});
    for (Index row = 0; row < record.rows(); ++row)
      for (Index column = 0; column < record.columns(); ++column)
        record.cell_words.push_back((*pass_.vocabulary.words)[top.columns[row * count + column]]);
  }

  const Transformer& model_;
};

}  // namespace

LayerPlace PassTrace::encoder_place(std::size_t layer) const {
  const std::string number = std::to_string(layer);
  return {"encoder." + number, "Encoder layer " + number, pass_.source};
}

LayerPlace PassTrace::decoder_place(std::size_t layer) const {
  const std::string number = std::to_string(layer);
  return {"decoder." + number, "Decoder layer " + number, pass_.target_input};
}

AttentionPlace PassTrace::attention_place(const LayerPlace& at, const std::string& name,
                                          const std::string& title, const TraceAxis& keys) {
  AttentionPlace place = {at.name + name, title, at.tokens, keys};
  place.queries.name = "query_len";
  place.keys.name = "key_len";
  return place;
}

AttentionPlace PassTrace::self_attention(const LayerPlace& at) {
  const bool is_masked = at.name.starts_with("decoder");
  return attention_place(at, ".self_attention", is_masked ? "Masked self-attention" : "Self-attention",
                         at.tokens);
}

AttentionPlace PassTrace::encoder_decoder_attention(const LayerPlace& at) const {
  return attention_place(at, ".encoder_decoder_attention", "Encoder-decoder attention", pass_.source);
}

void PassTrace::enter(const std::vector<std::string>& path, const std::string& place) {
  recorder_.enter(path);
  place_ = place;
}

TraceRecord& PassTrace::add(const std::string& name, const Tensor& tensor,
                            const std::vector<TraceAxis>& axes) {
  const std::string whole = place_.empty() ? name : place_ + "." + name;
  const bool is_between = place_.ends_with("encoder_decoder_attention");
  const std::string kind = kind_of(whole);
  const StepNote& note = note_of(kind);
  const std::string equation = fill_template(
      note.equation, {{"query", is_between ? "y" : "x"}, {"memory", is_between ? "memory" : "x"}});
  return recorder_.add({whole, note.section, equation}, tensor, axes);
}

Tensor head_products(const Tensor& a, const Tensor& b) {
  const Index batch = 1, heads = a.dim(1), rows = a.dim(2), columns = b.dim(2), d = a.dim(3);
  CHECK_SHAPE(a, batch, heads, rows, d);
  CHECK_SHAPE(b, batch, heads, columns, d);
  WritableTensor products = Tensor::zeros({batch, heads, rows, columns});
  for (Index h = 0; h < heads; ++h)
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < columns; ++j)
        for (Index p = 0; p < d; ++p) products(0, h, i, j) += a(0, h, i, p) * b(0, h, j, p);
  return products;
}

Tensor divide_by_root(const Tensor& x, Index d_k) {
  const Real root = std::sqrt(static_cast<Real>(d_k));
  WritableTensor quotients = x;
  for (Index e = 0; e < quotients.size(); ++e) quotients(e) /= root;
  return quotients;
}

Tensor trace_forward(const Transformer& model, const TracePass& pass, Transformer::Cache& cache,
                     TraceRecorder& recorder) {
  const WaysInScope in_scope(with_plain_attention());
  CHECK(pass.pair.source.batch == 1, pass.pair.source.batch, " sentences");
  const Tensor decoder_output =
      model.forward(pass.pair.source, pass.pair.target_input, DropoutState{}, cache);

  ForwardTrace trace(model, pass, recorder);
  trace.input("source", pass.pair.source, pass.source);
  for (std::size_t i = 0; i < model.encoder.layers.size(); ++i) trace.encoder_layer(i, cache);
  trace.input("target", pass.pair.target_input, pass.target_input);
  for (std::size_t i = 0; i < model.decoder.layers.size(); ++i) trace.decoder_layer(i, cache, decoder_output);
  trace.prediction(output_projection_forward(decoder_output, model.embedding));
  return decoder_output;
}

}  // namespace plainformer
