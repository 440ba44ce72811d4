#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "ops/cross_entropy.h"
#include "ops/elementwise.h"
#include "ops/embedding_lookup.h"
#include "ops/linear.h"
#include "ops/reductions.h"
#include "ops/softmax.h"
#include "show/trace/head_products.h"
#include "show/trace/trace_passes.h"
#include "transformer/token_batch.h"

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

class ForwardTrace {
 public:
  ForwardTrace(const Transformer& model, const TracePass& pass, TraceRecorder& recorder)
      : model_(model), pass_(pass), recorder_(recorder) {}

  void input(const std::string& side, const TokenBatch& tokens, const TraceAxis& positions) {
    const Parameter& table = model_.embedding;
    const TraceAxis d_model = axis("d_model");
    add({side + ".ids", "5.1", "ids = the line numbers of the pieces in vocabulary.txt, from 0"},
        ids_of(tokens), {positions});
    if (side == "source") parameters_of_inputs();
    add({side + ".embedding", "3.4", "embedding = E[ids], a row of the embedding matrix for each token"},
        embedding_lookup_forward(tokens.ids, table), {positions, d_model});
    const Tensor scaled = embedding_forward(tokens, table);
    add({side + ".scaled", "3.4", "scaled = sqrt(d_model) embedding"}, scaled, {positions, d_model});
    add({side + ".positions", "3.5",
         model_.config().learns_positions()
             ? "positions = the learned vectors of the positions"
             : "PE(pos, 2i) = sin(pos / 10000^(2i / d_model)), PE(pos, 2i + 1) = cos(the same)"},
        model_.positions.forward(Tensor::zeros(scaled.shape())), {positions, d_model});
    add({side + ".input", "3.5", "input = scaled + positions (no dropout outside training)"},
        model_.positions.forward(scaled), {positions, d_model});
  }

  void attention(const AttentionPlace& at, const MultiHeadAttention& layer,
                 const MultiHeadAttention::Cache& cache) {
    const AttentionCache& inner = cache.attention;
    const Tensor &q = inner.q, &k = inner.k, &v = inner.v;
    const TraceAxis heads = axis("heads"), d_k = axis("d_k"), d_v = axis("d_v"), d_model = axis("d_model");
    const TraceAxis all_d_k = axis("heads * d_k"), all_d_v = axis("heads * d_v");
    const std::string split = ", split into heads of ";
    parameter(at.prefix + ".w_q", "3.2.2", layer.w_q, {d_model, all_d_k});
    parameter(at.prefix + ".w_k", "3.2.2", layer.w_k, {d_model, all_d_k});
    parameter(at.prefix + ".w_v", "3.2.2", layer.w_v, {d_model, all_d_v});
    add({at.prefix + ".q", "3.2.2", "q = " + at.query + " W^Q" + split + "d_k columns"}, q,
        {heads, at.queries, d_k});
    add({at.prefix + ".k", "3.2.2", "k = " + at.memory + " W^K" + split + "d_k columns"}, k,
        {heads, at.keys, d_k});
    add({at.prefix + ".v", "3.2.2", "v = " + at.memory + " W^V" + split + "d_v columns"}, v,
        {heads, at.keys, d_v});
    const Tensor products = head_products(q, k);
    add({at.prefix + ".products", "3.2.1 (1)", "products = Q K^T"}, products, {heads, at.queries, at.keys});
    add({at.prefix + ".scores", "3.2.1 (1)", "scores = products / sqrt(d_k)"},
        divide_by_root(products, q.dim(3)), {heads, at.queries, at.keys});
    add({at.prefix + ".mask", "3.2.3", "mask = 1 where the query sees the key, else 0; in every head"},
        mask_of(inner.visible_keys, q.dim(2), k.dim(2)), {at.queries, at.keys});
    add({at.prefix + ".weights", "3.2.1 (1)",
         "weights = softmax(scores), each row over the keys that it sees"},
        inner.weights, {heads, at.queries, at.keys});
    add({at.prefix + ".head", "3.2.1 (1)", "head = weights V"}, split_heads(cache.concat, q.dim(1)),
        {heads, at.queries, d_v});
    add({at.prefix + ".concat", "3.2.2", "concat = Concat(head_1, ..., head_h)"}, cache.concat,
        {at.queries, all_d_v});
    parameter(at.prefix + ".w_o", "3.2.2", layer.w_o, {all_d_v, d_model});
    add({at.prefix + ".output", "3.2.2", "output = concat W^O"}, linear_forward(cache.concat, layer.w_o),
        {at.queries, d_model});
  }

  void feed_forward(const std::string& prefix, const TraceAxis& positions, const FeedForward& layer,
                    const FeedForward::Cache& cache) {
    const TraceAxis d_ff = axis("d_ff"), d_model = axis("d_model");
    parameter(prefix + ".w_1", "3.3 (2)", layer.w_1, {d_model, d_ff});
    parameter(prefix + ".b_1", "3.3 (2)", layer.b_1, {d_ff});
    add({prefix + ".inner", "3.3 (2)", "inner = x W_1 + b_1"},
        linear_bias_forward(cache.x, layer.w_1, layer.b_1), {positions, d_ff});
    add({prefix + ".hidden", "3.3 (2)", "hidden = max(0, inner)"}, cache.hidden, {positions, d_ff});
    parameter(prefix + ".w_2", "3.3 (2)", layer.w_2, {d_ff, d_model});
    parameter(prefix + ".b_2", "3.3 (2)", layer.b_2, {d_model});
    add({prefix + ".output", "3.3 (2)", "output = hidden W_2 + b_2"},
        linear_bias_forward(cache.hidden, layer.w_2, layer.b_2), {positions, d_model});
  }

  // output: the norm's, which is the input of the next sub-layer
  void norm(const std::string& prefix, const TraceAxis& positions, const ResidualLayerNorm& layer,
            const ResidualLayerNorm::Cache& cache, const Tensor& output) {
    add({prefix + ".sum", "3.1", "sum = x + Sublayer(x)"}, cache.norm.x, {positions, axis("d_model")});
    add({prefix + ".mean", "3.1", "mean of each row of the sum"}, cache.norm.mean, {positions});
    add({prefix + ".rstd", "3.1", "rstd = 1 / sqrt(variance of each row + epsilon)"}, cache.norm.rstd,
        {positions});
    parameter(prefix + ".gain", "3.1", layer.gain, {axis("d_model")});
    parameter(prefix + ".bias", "3.1", layer.bias, {axis("d_model")});
    add({prefix + ".output", "3.1", "output = LayerNorm(sum) = gain (sum - mean) rstd + bias"}, output,
        {positions, axis("d_model")});
  }

  void encoder_layer(std::size_t i, const Transformer::Cache& cache) {
    const EncoderLayer& layer = model_.encoder.layers[i];
    const EncoderLayer::Cache& c = cache.encoder.layers[i];
    const bool last = i + 1 == model_.encoder.layers.size();
    const std::string place = "encoder." + std::to_string(i), title = "Encoder layer " + std::to_string(i);
    const TraceAxis tokens = pass_.source();
    recorder_.enter({"Forward", title, "Self-attention"});
    attention(AttentionPlace::self_attention(place, tokens), layer.self_attention, c.self_attention);
    recorder_.enter({"Forward", title, "Add & norm after self-attention"});
    norm(place + ".self_attention_norm", tokens, layer.self_attention_norm, c.self_attention_norm,
         c.feed_forward.x);
    recorder_.enter({"Forward", title, "Feed-forward"});
    feed_forward(place + ".feed_forward", tokens, layer.feed_forward, c.feed_forward);
    recorder_.enter({"Forward", title, "Add & norm after feed-forward"});
    norm(place + ".feed_forward_norm", tokens, layer.feed_forward_norm, c.feed_forward_norm,
         last ? cache.decoder.layers[0].encoder_decoder_attention.key_input
              : cache.encoder.layers[i + 1].self_attention.query_input);
  }

  void decoder_layer(std::size_t i, const Transformer::Cache& cache) {
    const DecoderLayer& layer = model_.decoder.layers[i];
    const DecoderLayer::Cache& c = cache.decoder.layers[i];
    const bool last = i + 1 == model_.decoder.layers.size();
    const std::string place = "decoder." + std::to_string(i), title = "Decoder layer " + std::to_string(i);
    const TraceAxis tokens = pass_.target_input();
    recorder_.enter({"Forward", title, "Masked self-attention"});
    attention(AttentionPlace::self_attention(place, tokens), layer.self_attention, c.self_attention);
    recorder_.enter({"Forward", title, "Add & norm after self-attention"});
    norm(place + ".self_attention_norm", tokens, layer.self_attention_norm, c.self_attention_norm,
         c.encoder_decoder_attention.query_input);
    recorder_.enter({"Forward", title, "Encoder-decoder attention"});
    attention(AttentionPlace::encoder_decoder_attention(place, pass_), layer.encoder_decoder_attention,
              c.encoder_decoder_attention);
    recorder_.enter({"Forward", title, "Add & norm after encoder-decoder attention"});
    norm(place + ".encoder_decoder_attention_norm", tokens, layer.encoder_decoder_attention_norm,
         c.encoder_decoder_attention_norm, c.feed_forward.x);
    recorder_.enter({"Forward", title, "Feed-forward"});
    feed_forward(place + ".feed_forward", tokens, layer.feed_forward, c.feed_forward);
    recorder_.enter({"Forward", title, "Add & norm after feed-forward"});
    norm(place + ".feed_forward_norm", tokens, layer.feed_forward_norm, c.feed_forward_norm,
         last ? cache.decoder_output : cache.decoder.layers[i + 1].self_attention.query_input);
  }

  void prediction(const Tensor& logits) {
    const Index len = logits.dim(1), vocab = logits.dim(2);
    const std::vector<int> targets = pass_.pair.targets();
    add({"logits", "3.4", "logits = decoder_output E^T, with the embedding matrix E"}, logits,
        {pass_.target_input(), pass_.vocabulary()});
    const Tensor p = softmax_forward(logits, std::vector<Index>(len, vocab));
    add({"probabilities", "3.4", "probabilities = softmax(logits)"}, p,
        {pass_.target_input(), pass_.vocabulary()});
    best(p);
    Tensor of_target({len});
    for (Index i = 0; i < len; ++i) of_target.mutable_data()[i] = p(i, targets[i]);
    add({"target_probability", "5.4", "target_probability = probabilities[target]"}, of_target,
        {pass_.target_output()});
    Tensor loss({1});
    loss.mutable_data()[0] =
        static_cast<Real>(cross_entropy_forward(logits, targets, pass_.label_smoothing).loss);
    add({"loss", "5.4", "loss = - sum of q log p over the tokens, with the target distribution q"}, loss,
        {axis("sum")});
  }

 private:
  // The matrix, and learned positions, of which both sides look up their rows.
  void parameters_of_inputs() {
    parameter("embedding", "3.4", model_.embedding, {pass_.vocabulary(), axis("d_model")});
    if (model_.positions.is_learned())
      parameter("position_embedding", "3.5", model_.positions.table, {axis("max_length"), axis("d_model")});
  }

  void best(const Tensor& probabilities) {
    const Index count = std::min(kBest, probabilities.dim(2));
    const TopK top = top_k(probabilities, /*first_column=*/0, count);
    Tensor values({probabilities.dim(1), count});
    std::copy(top.values.begin(), top.values.end(), values.mutable_data());
    TraceRecord& record =
        add({"best", "3.4", "best = the most probable tokens of each position"}, values,
            {pass_.target_input(),
             {.name = "rank", .words = std::make_shared<Words>(Words{"1", "2", "3", "4", "5"})}});
    for (Index row = 0; row < record.rows(); ++row)
      for (Index column = 0; column < record.columns(); ++column)
        record.cell_words.push_back((*pass_.words.vocabulary)[top.columns[row * count + column]]);
  }

  // Weights that training has learned, under their name in the file of the weights.
  void parameter(const std::string& name, const std::string& section, const Parameter& parameter,
                 std::vector<TraceAxis> axes) {
    const std::string last = name.substr(name.rfind('.') + 1);
    add({name, section, last + ": a parameter, which training learns"}, parameter.value, std::move(axes));
  }

  TraceRecord& add(const TraceRecorder::Text& text, const Tensor& tensor, std::vector<TraceAxis> axes) {
    return recorder_.add(text, tensor, std::move(axes));
  }

  const Transformer& model_;
  const TracePass& pass_;
  TraceRecorder& recorder_;
};

}  // namespace

AttentionPlace AttentionPlace::self_attention(const std::string& layer, const TraceAxis& tokens) {
  TraceAxis queries = tokens, keys = tokens;
  queries.name = "query_len";
  keys.name = "key_len";
  return {.prefix = layer + ".self_attention", .query = "x", .memory = "x", .queries = queries, .keys = keys};
}

AttentionPlace AttentionPlace::encoder_decoder_attention(const std::string& layer, const TracePass& pass) {
  TraceAxis queries = pass.target_input(), keys = pass.source();
  queries.name = "query_len";
  keys.name = "key_len";
  return {.prefix = layer + ".encoder_decoder_attention",
          .query = "y",
          .memory = "memory",
          .queries = queries,
          .keys = keys};
}

Ways ways_of_trace() {
  Ways chosen = ways;
  chosen.attention = Way::kPlain;
  return chosen;
}

Tensor trace_forward(const Transformer& model, const TracePass& pass, Transformer::Cache& cache,
                     TraceRecorder& recorder) {
  const WaysInScope in_scope(ways_of_trace());
  CHECK(pass.pair.source.batch == 1, pass.pair.source.batch, " sentences");
  model.forward(pass.pair.source, pass.pair.target_input, DropoutState{}, cache);

  ForwardTrace trace(model, pass, recorder);
  recorder.enter({"Forward", "Source", "Embedding and positions"});
  trace.input("source", pass.pair.source, pass.source());
  for (std::size_t i = 0; i < model.encoder.layers.size(); ++i) trace.encoder_layer(i, cache);
  recorder.enter({"Forward", "Target", "Embedding and positions"});
  trace.input("target", pass.pair.target_input, pass.target_input());
  for (std::size_t i = 0; i < model.decoder.layers.size(); ++i) trace.decoder_layer(i, cache);

  recorder.enter({"Forward", "Prediction", "Logits, probabilities, loss"});
  const Tensor logits = output_projection_forward(cache.decoder_output, model.embedding);
  trace.prediction(logits);
  return logits;
}

}  // namespace plainformer
