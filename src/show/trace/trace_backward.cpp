#include <algorithm>
#include <cmath>
#include <set>

#include "ops/cross_entropy.h"
#include "ops/elementwise.h"
#include "ops/linear.h"
#include "ops/softmax.h"
#include "ops/ways.h"
#include "show/trace/trace_passes.h"

namespace plainformer {

namespace {

// Backward, step by step. A layer's own backward returns the gradients of its inputs only; the gradients
// between its sub-layers and inside them exist nowhere but in its body. So this class makes the same steps
// with the same operations, and its test compares all gradients with the model's own, bit by bit.
class BackwardTrace : PassTrace {
 public:
  BackwardTrace(Transformer& model, const TracePass& pass, TraceRecorder& recorder)
      : PassTrace(pass, recorder), model_(model) {}

  // Returns the gradient of decoder_output.
  Tensor prediction(const Tensor& decoder_output) {
    enter({"Backward", "Prediction", "Loss and logits"}, "");
    const Tensor logits = output_projection_forward(decoder_output, model_.embedding);
    const Tensor grad_logits = cross_entropy_backward(1, logits, pass_.pair.targets(), pass_.label_smoothing);
    add("grad_logits", grad_logits, {pass_.target_output, pass_.vocabulary});
    const Tensor grad_output = linear_transposed_backward(grad_logits, decoder_output, model_.embedding);
    add("grad_decoder_output", grad_output, {pass_.target_input, d_model_});
    return grad_output;
  }

  Tensor encoder_layer(std::size_t i, const EncoderLayer::Cache& c, const Tensor& grad_output) {
    EncoderLayer& layer = model_.encoder.layers[i];
    const LayerPlace at = encoder_place(i);
    const Tensor grad_y = feed_forward_sublayer(at, "grad_y", layer, c, grad_output);
    return self_attention_sublayer(at, layer, c, grad_y);
  }

  DecoderLayer::InputGradients decoder_layer(std::size_t i, const DecoderLayer::Cache& c,
                                             const Tensor& grad_output) {
    DecoderLayer& layer = model_.decoder.layers[i];
    const LayerPlace at = decoder_place(i);
    const Tensor grad_z = feed_forward_sublayer(at, "grad_z", layer, c, grad_output);

    enter({"Backward", at.title, "Add & norm after encoder-decoder attention"},
          at.name + ".encoder_decoder_attention_norm");
    auto [grad_y, grad_looked_up] =
        norm(at.tokens, layer.encoder_decoder_attention_norm, c.encoder_decoder_attention_norm, grad_z);
    auto cross = attention(at, encoder_decoder_attention(at), layer.encoder_decoder_attention,
                           c.encoder_decoder_attention, grad_looked_up);
    place_ = at.name;
    grad_y = plainformer::add(std::move(grad_y), cross.query);
    add("grad_y", grad_y, {at.tokens, d_model_});
    Tensor grad_memory = plainformer::add(std::move(cross.key), cross.value);
    add("grad_memory", grad_memory, {pass_.source, d_model_});

    return {.x = self_attention_sublayer(at, layer, c, grad_y), .memory = std::move(grad_memory)};
  }

  void memory(const Tensor& grad_memory) {
    enter({"Backward", "Memory", "From all decoder layers"}, "");
    add("grad_memory", grad_memory, {pass_.source, d_model_});
  }

  void input(const std::string& side, const TokenBatch& tokens, const TraceAxis& positions,
             const Tensor& grad) {
    enter({"Backward", side == "source" ? "Source" : "Target", "Positions and embedding"}, side);
    add("grad_input", grad, {positions, d_model_});
    if (model_.positions.is_learned()) {
      model_.positions.backward(grad);
      add("position_embedding.grad", model_.positions.table.grad, {axis("max_length"), d_model_});
    }
    add("grad_embedding", scale(grad, std::sqrt(static_cast<Real>(grad.dim(2)))), {positions, d_model_});
    embedding_backward(grad, tokens, model_.embedding);
  }

  // The matrix is used in three places, so its gradient is a sum of three. Records the whole gradient, and
  // the rows of the sentences' tokens.
  void embedding() {
    enter({"Backward", "Embedding matrix", "One matrix in three places"}, "");
    add("embedding.grad", model_.embedding.grad, {pass_.vocabulary, d_model_});
    std::set<int> ids;
    for (const TokenBatch* tokens : {&pass_.pair.source, &pass_.pair.target_input})
      ids.insert(tokens->ids.begin(), tokens->ids.end());
    const Index d_model = model_.embedding.grad.dim(1);
    Tensor grad({std::ssize(ids), d_model});
    auto words = std::make_shared<Words>();
    Real* to = grad.mutable_data();
    for (const int id : ids) {
      words->push_back((*pass_.vocabulary.words)[id]);
      to = std::copy_n(model_.embedding.grad.data() + id * d_model, d_model, to);
    }
    add("embedding.grad_rows", grad, {{.name = "tokens", .words = words, .of_sentence = true}, d_model_});
  }

 private:
  // The last sub-layer of an encoder or decoder layer. Its input, whose gradient has that name, went around
  // it and into it, so two gradients add up.
  template <typename Layer>
  Tensor feed_forward_sublayer(const LayerPlace& at, const std::string& name, Layer& layer,
                               const typename Layer::Cache& c, const Tensor& grad_output) {
    enter({"Backward", at.title, "Add & norm after feed-forward"}, at.name + ".feed_forward_norm");
    auto [grad_input, grad_transformed] =
        norm(at.tokens, layer.feed_forward_norm, c.feed_forward_norm, grad_output);
    enter({"Backward", at.title, "Feed-forward"}, at.name + ".feed_forward");
    const Tensor grad_x = feed_forward(at.tokens, layer.feed_forward, c.feed_forward, grad_transformed);
    place_ = at.name;
    grad_input = plainformer::add(std::move(grad_input), grad_x);
    add(name, grad_input, {at.tokens, d_model_});
    return grad_input;
  }

  // The first sub-layer. x went around it and into it three times, so four gradients add up.
  template <typename Layer>
  Tensor self_attention_sublayer(const LayerPlace& at, Layer& layer, const typename Layer::Cache& c,
                                 const Tensor& grad_y) {
    enter({"Backward", at.title, "Add & norm after self-attention"}, at.name + ".self_attention_norm");
    auto [grad_x, grad_attended] = norm(at.tokens, layer.self_attention_norm, c.self_attention_norm, grad_y);
    const auto self =
        attention(at, self_attention(at), layer.self_attention, c.self_attention, grad_attended);
    place_ = at.name;
    grad_x = plainformer::add(std::move(grad_x), self.query);
    grad_x = plainformer::add(std::move(grad_x), self.key);
    grad_x = plainformer::add(std::move(grad_x), self.value);
    add("grad_x", grad_x, {at.tokens, d_model_});
    return grad_x;
  }

  // x and the sub-layer's output get the same gradient, that of their sum.
  ResidualLayerNorm::InputGradients norm(const TraceAxis& positions, ResidualLayerNorm& layer,
                                         const ResidualLayerNorm::Cache& cache, const Tensor& grad_output) {
    auto grad = layer.backward(grad_output, cache);
    add("grad_sum", grad.x, {positions, d_model_});
    add("gain.grad", layer.gain.grad, {d_model_});
    add("bias.grad", layer.bias.grad, {d_model_});
    return grad;
  }

  Tensor feed_forward(const TraceAxis& positions, FeedForward& layer, const FeedForward::Cache& cache,
                      const Tensor& grad_output) {
    const Tensor grad_hidden = linear_bias_backward(grad_output, cache.hidden, layer.w_2, layer.b_2);
    add("grad_hidden", grad_hidden, {positions, d_ff_});
    add("w_2.grad", layer.w_2.grad, {d_ff_, d_model_});
    add("b_2.grad", layer.b_2.grad, {d_model_});
    const Tensor grad_inner = relu_backward(grad_hidden, cache.hidden);
    add("grad_inner", grad_inner, {positions, d_ff_});
    const Tensor grad_x = linear_bias_backward(grad_inner, cache.x, layer.w_1, layer.b_1);
    add("grad_x", grad_x, {positions, d_model_});
    add("w_1.grad", layer.w_1.grad, {d_model_, d_ff_});
    add("b_1.grad", layer.b_1.grad, {d_ff_});
    return grad_x;
  }

  MultiHeadAttention::InputGradients attention(const LayerPlace& layer_place, const AttentionPlace& at,
                                               MultiHeadAttention& layer,
                                               const MultiHeadAttention::Cache& cache,
                                               const Tensor& grad_output) {
    enter({"Backward", layer_place.title, at.title}, at.name);
    const Tensor grad_concat = linear_backward(grad_output, cache.concat, layer.w_o);
    add("grad_concat", grad_concat, {at.queries, heads_d_v_});
    add("w_o.grad", layer.w_o.grad, {heads_d_v_, d_model_});
    const auto& kept = std::get<AttentionCache>(cache.attention);
    const Tensor grad_head = split_heads(grad_concat, kept.q.dim(1));
    add("grad_head", grad_head, {heads_, at.queries, d_v_});
    inside_head(at, kept, grad_head);

    const AttentionGradients grad = attention_backward(grad_head, kept);
    add("grad_q", grad.q, {heads_, at.queries, d_k_});
    add("grad_k", grad.k, {heads_, at.keys, d_k_});
    add("grad_v", grad.v, {heads_, at.keys, d_v_});

    MultiHeadAttention::InputGradients inputs = {
        .query = linear_backward(concatenate_heads(grad.q), cache.query_input, layer.w_q),
        .key = linear_backward(concatenate_heads(grad.k), cache.key_input, layer.w_k),
        .value = linear_backward(concatenate_heads(grad.v), cache.value_input, layer.w_v)};
    add("grad_query", inputs.query, {at.queries, d_model_});
    add("grad_key", inputs.key, {at.keys, d_model_});
    add("grad_value", inputs.value, {at.keys, d_model_});
    add("w_q.grad", layer.w_q.grad, {d_model_, heads_d_k_});
    add("w_k.grad", layer.w_k.grad, {d_model_, heads_d_k_});
    add("w_v.grad", layer.w_v.grad, {d_model_, heads_d_v_});
    return inputs;
  }

  // Repeats the steps of attention_backward, because it does not return its intermediate gradients.
  void inside_head(const AttentionPlace& at, const AttentionCache& cache, const Tensor& grad_head) {
    const Tensor grad_weights = head_products(grad_head, cache.v);
    add("grad_weights", grad_weights, {heads_, at.queries, at.keys});
    const Tensor grad_scores = softmax_backward(grad_weights, cache.weights, cache.visible_keys);
    add("grad_scores", grad_scores, {heads_, at.queries, at.keys});
    add("grad_products", divide_by_root(grad_scores, cache.q.dim(3)), {heads_, at.queries, at.keys});
  }

  Transformer& model_;
};

}  // namespace

void trace_backward(Transformer& model, const TracePass& pass, const Transformer::Cache& cache,
                    const Tensor& decoder_output, TraceRecorder& recorder) {
  const WaysInScope in_scope(with_plain_attention());
  BackwardTrace trace(model, pass, recorder);
  Tensor grad_hidden = trace.prediction(decoder_output);
  Tensor grad_memory;
  for (std::size_t i = model.decoder.layers.size(); i-- > 0;) {
    auto grad = trace.decoder_layer(i, cache.decoder.layers[i], grad_hidden);
    grad_hidden = std::move(grad.x);
    grad_memory = grad_memory.empty() ? std::move(grad.memory) : add(std::move(grad_memory), grad.memory);
  }
  trace.input("target", pass.pair.target_input, pass.target_input, grad_hidden);

  trace.memory(grad_memory);
  grad_hidden = std::move(grad_memory);
  for (std::size_t i = model.encoder.layers.size(); i-- > 0;)
    grad_hidden = trace.encoder_layer(i, cache.encoder.layers[i], grad_hidden);
  trace.input("source", pass.pair.source, pass.source, grad_hidden);
  trace.embedding();
}

}  // namespace plainformer
