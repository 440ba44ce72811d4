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
    add("ids", "5.1", "ids = the line numbers of the pieces in vocabulary.txt, from 0", ids_of(tokens),
        {positions});
    if (side == "source") parameters_of_inputs();
    place_ = side;
    add("embedding", "3.4", "embedding = E[ids], a row of the embedding matrix for each token",
        embedding_lookup_forward(tokens.ids, model_.embedding), {positions, d_model_});
    const Tensor scaled = embedding_forward(tokens, model_.embedding);
    add("scaled", "3.4", "scaled = sqrt(d_model) embedding", scaled, {positions, d_model_});
    add("positions", "3.5",
        model_.config().learns_positions()
            ? "positions = the learned vectors of the positions"
            : "PE(pos, 2i) = sin(pos / 10000^(2i / d_model)), PE(pos, 2i + 1) = cos(the same)",
        model_.positions.forward(Tensor::zeros(scaled.shape())), {positions, d_model_});
    add("input", "3.5", "input = scaled + positions (no dropout outside training)",
        model_.positions.forward(scaled), {positions, d_model_});
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

  void decoder_layer(std::size_t i, const Transformer::Cache& cache) {
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
         last ? cache.decoder_output : cache.decoder.layers[i + 1].self_attention.query_input);
  }

  void prediction(const Tensor& logits) {
    enter({"Forward", "Prediction", "Logits, probabilities, loss"}, "");
    const Index len = logits.dim(1), vocab = logits.dim(2);
    const std::vector<int> targets = pass_.pair.targets();
    add("logits", "3.4", "logits = decoder_output E^T, with the embedding matrix E", logits,
        {pass_.target_input(), pass_.vocabulary()});
    const Tensor p = softmax_forward(logits, std::vector<Index>(len, vocab));
    add("probabilities", "3.4", "probabilities = softmax(logits)", p,
        {pass_.target_input(), pass_.vocabulary()});
    best(p);
    Tensor of_target({len});
    for (Index i = 0; i < len; ++i) of_target.mutable_data()[i] = p(i, targets[i]);
    add("target_probability", "5.4", "target_probability = probabilities[target]", of_target,
        {pass_.target_output()});
    Tensor loss({1});
    loss.mutable_data()[0] =
        static_cast<Real>(cross_entropy_forward(logits, targets, pass_.label_smoothing).loss);
    add("loss", "5.4", "loss = - sum of q log p over the tokens, with the target distribution q", loss,
        {axis("sum")});
  }

 private:
  void attention(const LayerPlace& layer_place, const AttentionPlace& at, const MultiHeadAttention& layer,
                 const MultiHeadAttention::Cache& cache) {
    enter({"Forward", layer_place.title, at.title}, at.name);
    const auto& [q, k, v, visible_keys, weights] = std::get<AttentionCache>(cache.attention);
    const std::string split = ", split into heads of ";
    parameter("w_q", "3.2.2", layer.w_q, {d_model_, heads_d_k_});
    parameter("w_k", "3.2.2", layer.w_k, {d_model_, heads_d_k_});
    parameter("w_v", "3.2.2", layer.w_v, {d_model_, heads_d_v_});
    add("q", "3.2.2", "q = " + at.query + " W^Q" + split + "d_k columns", q, {heads_, at.queries, d_k_});
    add("k", "3.2.2", "k = " + at.memory + " W^K" + split + "d_k columns", k, {heads_, at.keys, d_k_});
    add("v", "3.2.2", "v = " + at.memory + " W^V" + split + "d_v columns", v, {heads_, at.keys, d_v_});
    const Tensor products = head_products(q, k);
    add("products", "3.2.1 (1)", "products = Q K^T", products, {heads_, at.queries, at.keys});
    add("scores", "3.2.1 (1)", "scores = products / sqrt(d_k)", divide_by_root(products, q.dim(3)),
        {heads_, at.queries, at.keys});
    add("mask", "3.2.3", "mask = 1 where the query sees the key, else 0; in every head",
        mask_of(visible_keys, q.dim(2), k.dim(2)), {at.queries, at.keys});
    add("weights", "3.2.1 (1)", "weights = softmax(scores), each row over the keys that it sees", weights,
        {heads_, at.queries, at.keys});
    add("head", "3.2.1 (1)", "head = weights V", split_heads(cache.concat, q.dim(1)),
        {heads_, at.queries, d_v_});
    add("concat", "3.2.2", "concat = Concat(head_1, ..., head_h)", cache.concat, {at.queries, heads_d_v_});
    parameter("w_o", "3.2.2", layer.w_o, {heads_d_v_, d_model_});
    add("output", "3.2.2", "output = concat W^O", linear_forward(cache.concat, layer.w_o),
        {at.queries, d_model_});
  }

  void feed_forward(const LayerPlace& at, const FeedForward& layer, const FeedForward::Cache& cache) {
    enter({"Forward", at.title, "Feed-forward"}, at.name + ".feed_forward");
    parameter("w_1", "3.3 (2)", layer.w_1, {d_model_, d_ff_});
    parameter("b_1", "3.3 (2)", layer.b_1, {d_ff_});
    add("inner", "3.3 (2)", "inner = x W_1 + b_1", linear_bias_forward(cache.x, layer.w_1, layer.b_1),
        {at.tokens, d_ff_});
    add("hidden", "3.3 (2)", "hidden = max(0, inner)", cache.hidden, {at.tokens, d_ff_});
    parameter("w_2", "3.3 (2)", layer.w_2, {d_ff_, d_model_});
    parameter("b_2", "3.3 (2)", layer.b_2, {d_model_});
    add("output", "3.3 (2)", "output = hidden W_2 + b_2",
        linear_bias_forward(cache.hidden, layer.w_2, layer.b_2), {at.tokens, d_model_});
  }

  // sublayer: "self-attention"; output: the norm's, which is the input of the next sub-layer
  void norm(const LayerPlace& at, const std::string& sublayer, const ResidualLayerNorm& layer,
            const ResidualLayerNorm::Cache& cache, const Tensor& output) {
    std::string name = sublayer;
    for (char& character : name)
      if (character == '-' || character == ' ') character = '_';
    enter({"Forward", at.title, "Add & norm after " + sublayer}, at.name + "." + name + "_norm");
    add("sum", "3.1", "sum = x + Sublayer(x)", cache.norm.x, {at.tokens, d_model_});
    add("mean", "3.1", "mean of each row of the sum", cache.norm.mean, {at.tokens});
    add("rstd", "3.1", "rstd = 1 / sqrt(variance of each row + epsilon)", cache.norm.rstd, {at.tokens});
    parameter("gain", "3.1", layer.gain, {d_model_});
    parameter("bias", "3.1", layer.bias, {d_model_});
    add("output", "3.1", "output = LayerNorm(sum) = gain (sum - mean) rstd + bias", output,
        {at.tokens, d_model_});
  }

  // The matrix, and learned positions, of which both sides look up their rows.
  void parameters_of_inputs() {
    place_ = "";
    parameter("embedding", "3.4", model_.embedding, {pass_.vocabulary(), d_model_});
    if (model_.positions.is_learned())
      parameter("position_embedding", "3.5", model_.positions.table, {axis("max_length"), d_model_});
  }

  void best(const Tensor& probabilities) {
    const Index count = std::min(kBest, probabilities.dim(2));
    const TopK top = top_k(probabilities, /*first_column=*/0, count);
    Tensor values({probabilities.dim(1), count});
    std::copy(top.values.begin(), top.values.end(), values.mutable_data());
    const TraceAxis rank = {.name = "rank", .words = std::make_shared<Words>(Words{"1", "2", "3", "4", "5"})};
    TraceRecord& record = add("best", "3.4", "best = the most probable tokens of each position", values,
                              {pass_.target_input(), rank});
    for (Index row = 0; row < record.rows(); ++row)
      for (Index column = 0; column < record.columns(); ++column)
        record.cell_words.push_back((*pass_.words.vocabulary)[top.columns[row * count + column]]);
  }

  // Weights that training has learned, under their name in the file of the weights.
  void parameter(const std::string& name, const std::string& section, const Parameter& parameter,
                 const std::vector<TraceAxis>& axes) {
    add(name, section, name + ": a parameter, which training learns", parameter.value, axes);
  }

  const Transformer& model_;
};

}  // namespace

LayerPlace PassTrace::encoder_place(std::size_t layer) const {
  const std::string number = std::to_string(layer);
  return {"encoder." + number, "Encoder layer " + number, pass_.source()};
}

LayerPlace PassTrace::decoder_place(std::size_t layer) const {
  const std::string number = std::to_string(layer);
  return {"decoder." + number, "Decoder layer " + number, pass_.target_input()};
}

AttentionPlace PassTrace::self_attention(const LayerPlace& at) {
  AttentionPlace place = {
      .name = at.name + ".self_attention",
      .title = at.name.starts_with("decoder") ? "Masked self-attention" : "Self-attention",
      .query = "x",
      .memory = "x",
      .queries = at.tokens,
      .keys = at.tokens};
  place.queries.name = "query_len";
  place.keys.name = "key_len";
  return place;
}

AttentionPlace PassTrace::encoder_decoder_attention(const LayerPlace& at) const {
  AttentionPlace place = {.name = at.name + ".encoder_decoder_attention",
                          .title = "Encoder-decoder attention",
                          .query = "y",
                          .memory = "memory",
                          .queries = at.tokens,
                          .keys = pass_.source()};
  place.queries.name = "query_len";
  place.keys.name = "key_len";
  return place;
}

void PassTrace::enter(const std::vector<std::string>& path, const std::string& place) {
  recorder_.enter(path);
  place_ = place;
}

TraceRecord& PassTrace::add(const std::string& name, const std::string& section, const std::string& equation,
                            const Tensor& tensor, const std::vector<TraceAxis>& axes) {
  return recorder_.add({place_.empty() ? name : place_ + "." + name, section, equation}, tensor, axes);
}

Ways ways_of_trace() {
  Ways chosen = ways;
  chosen.attention = Way::kPlain;
  return chosen;
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
  const WaysInScope in_scope(ways_of_trace());
  CHECK(pass.pair.source.batch == 1, pass.pair.source.batch, " sentences");
  model.forward(pass.pair.source, pass.pair.target_input, DropoutState{}, cache);

  ForwardTrace trace(model, pass, recorder);
  trace.input("source", pass.pair.source, pass.source());
  for (std::size_t i = 0; i < model.encoder.layers.size(); ++i) trace.encoder_layer(i, cache);
  trace.input("target", pass.pair.target_input, pass.target_input());
  for (std::size_t i = 0; i < model.decoder.layers.size(); ++i) trace.decoder_layer(i, cache);
  const Tensor logits = output_projection_forward(cache.decoder_output, model.embedding);
  trace.prediction(logits);
  return logits;
}

}  // namespace plainformer
