// The rules of the backward pass, in the order of trace_backward.
#include <set>

#include "show/steps/rule_builder.h"

namespace plainformer {

void RuleBuilder::backward() {
  using namespace notation;
  prediction_backward();
  for (Index layer = config.decoder_layers; layer-- > 0;) decoder_layer_backward(layer);
  input_backward("target");
  Formula sum = cell(layer_name("decoder", config.decoder_layers - 1) + ".grad_memory", {i, j});
  for (Index layer = config.decoder_layers - 1; layer-- > 0;)
    sum = sum + cell(layer_name("decoder", layer) + ".grad_memory", {i, j});
  rule("grad_memory", {"i", "j"}, sum);
  for (Index layer = config.encoder_layers; layer-- > 0;) encoder_layer_backward(layer);
  input_backward("source");
  embedding_backward();
}

void RuleBuilder::prediction_backward() {
  using namespace notation;
  const double smoothing = trace.label_smoothing, share = smoothing / static_cast<double>(config.vocab);
  const Formula is_target = Formula::of("=", {k, Formula::pick("target", i, target_output)});
  rule("grad_logits", {"i", "k"},
       cell("probabilities", {i, k}) - Formula::of("if", {is_target, 1 - smoothing + share, share}));
  rule("grad_decoder_output", {"i", "m"},
       Formula::sum("k", config.vocab, cell("grad_logits", {i, k}) * cell("embedding", {k, m})));
}

void RuleBuilder::norm_backward(const std::string& at, const std::string& grad_output, Index len) {
  using namespace notation;
  const Index d = config.d_model;
  const auto g = [&](const Formula& column) {
    return cell(at + ".gain", {column}) * cell(grad_output, {i, column});
  };
  rule(at + ".grad_sum", {"i", "j"},
       cell(at + ".rstd", {i}) *
           (g(j) - Formula::sum("m", d, g(m)) / number(d) -
            normalized(at, i, j) * (Formula::sum("m", d, g(m) * normalized(at, i, m)) / number(d))));
  rule(at + ".gain.grad", {"j"}, Formula::sum("i", len, cell(grad_output, {i, j}) * normalized(at, i, j)));
  rule(at + ".bias.grad", {"j"}, Formula::sum("i", len, cell(grad_output, {i, j})));
}

void RuleBuilder::feed_forward_backward(const std::string& at, const std::string& x, Index len) {
  using namespace notation;
  const std::string grad_output = at + "_norm.grad_sum";
  rule(at + ".grad_hidden", {"i", "f"},
       Formula::sum("j", config.d_model, cell(grad_output, {i, j}) * cell(at + ".w_2", {f, j})));
  rule(at + ".w_2.grad", {"f", "j"},
       Formula::sum("i", len, cell(at + ".hidden", {i, f}) * cell(grad_output, {i, j})));
  rule(at + ".b_2.grad", {"j"}, Formula::sum("i", len, cell(grad_output, {i, j})));
  rule(at + ".grad_inner", {"i", "f"},
       Formula::of("if", {Formula::of("<", {0, cell(at + ".hidden", {i, f})}),
                          cell(at + ".grad_hidden", {i, f}), 0}));
  rule(at + ".grad_x", {"i", "m"},
       Formula::sum("f", config.d_ff, cell(at + ".grad_inner", {i, f}) * cell(at + ".w_1", {m, f})));
  rule(at + ".w_1.grad", {"m", "f"},
       Formula::sum("i", len, cell(x, {i, m}) * cell(at + ".grad_inner", {i, f})));
  rule(at + ".b_1.grad", {"f"}, Formula::sum("i", len, cell(at + ".grad_inner", {i, f})));
}

void RuleBuilder::attention_backward(const AttentionRulePlace& at) {
  using namespace notation;
  const std::string& a = at.prefix;
  const std::string grad_output = a + "_norm.grad_sum";
  const Index d_k = config.head_d_k(), d_v = config.head_d_v();
  rule(a + ".grad_concat", {"i", "c"},
       Formula::sum("m", config.d_model, cell(grad_output, {i, m}) * cell(a + ".w_o", {c, m})));
  rule(a + ".w_o.grad", {"c", "m"},
       Formula::sum("i", at.queries, cell(a + ".concat", {i, c}) * cell(grad_output, {i, m})));
  rule(a + ".grad_head", {"h", "i", "p"}, cell(a + ".grad_concat", {i, h * number(d_v) + p}));
  rule(a + ".grad_weights", {"h", "i", "j"},
       Formula::sum("p", d_v, cell(a + ".grad_head", {h, i, p}) * cell(a + ".v", {h, j, p})));
  const auto weight = [&](const Formula& key) { return cell(a + ".weights", {h, i, key}); };
  const auto grad_weight = [&](const Formula& key) { return cell(a + ".grad_weights", {h, i, key}); };
  const Formula sees = Formula::of("=", {cell(a + ".mask", {i, k}), 1});
  rule(a + ".grad_scores", {"h", "i", "j"},
       weight(j) * (grad_weight(j) - Formula::sum_where("k", at.keys, grad_weight(k) * weight(k), sees)));
  rule(a + ".grad_products", {"h", "i", "j"},
       cell(a + ".grad_scores", {h, i, j}) / Formula::of("sqrt", {number(d_k)}));
  rule(a + ".grad_q", {"h", "i", "p"},
       Formula::sum("j", at.keys, cell(a + ".grad_products", {h, i, j}) * cell(a + ".k", {h, j, p})));
  rule(a + ".grad_k", {"h", "j", "p"},
       Formula::sum("i", at.queries, cell(a + ".grad_products", {h, i, j}) * cell(a + ".q", {h, i, p})));
  rule(a + ".grad_v", {"h", "j", "p"},
       Formula::sum("i", at.queries, cell(a + ".weights", {h, i, j}) * cell(a + ".grad_head", {h, i, p})));
  projections_backward(at);
}

// The gradients of x and W in x W, for the queries, keys and values.
void RuleBuilder::projections_backward(const AttentionRulePlace& at) {
  using namespace notation;
  struct Projection {
    std::string input, short_name, x;  // "query", "q", its tensor
    Index len, width;
  };
  const Index d_k = config.head_d_k(), d_v = config.head_d_v();
  for (const Projection& each :
       {Projection{"query", "q", at.query, at.queries, d_k}, Projection{"key", "k", at.memory, at.keys, d_k},
        Projection{"value", "v", at.memory, at.keys, d_v}}) {
    const std::string w = at.prefix + ".w_" + each.short_name, grad = at.prefix + ".grad_" + each.short_name;
    const Formula grad_product = side_by_side(grad, i, c, each.width);
    rule(at.prefix + ".grad_" + each.input, {"i", "m"},
         Formula::sum("c", config.heads * each.width, grad_product * cell(w, {m, c})));
    rule(w + ".grad", {"m", "c"}, Formula::sum("i", each.len, cell(each.x, {i, m}) * grad_product));
  }
}

void RuleBuilder::encoder_layer_backward(Index layer) {
  using namespace notation;
  const std::string at = layer_name("encoder", layer);
  norm_backward(at + ".feed_forward_norm", gradient_at_output_of("encoder", layer), source_len);
  feed_forward_backward(at + ".feed_forward", at + ".self_attention_norm.output", source_len);
  rule(at + ".grad_y", {"i", "j"},
       cell(at + ".feed_forward_norm.grad_sum", {i, j}) + cell(at + ".feed_forward.grad_x", {i, j}));
  norm_backward(at + ".self_attention_norm", at + ".grad_y", source_len);
  attention_backward(self_attention("encoder", layer));
  const std::string self = at + ".self_attention";
  rule(at + ".grad_x", {"i", "j"},
       cell(self + "_norm.grad_sum", {i, j}) + cell(self + ".grad_query", {i, j}) +
           cell(self + ".grad_key", {i, j}) + cell(self + ".grad_value", {i, j}));
}

void RuleBuilder::decoder_layer_backward(Index layer) {
  using namespace notation;
  const std::string at = layer_name("decoder", layer), self = at + ".self_attention",
                    cross = at + ".encoder_decoder_attention";
  norm_backward(at + ".feed_forward_norm", gradient_at_output_of("decoder", layer), target_len);
  feed_forward_backward(at + ".feed_forward", cross + "_norm.output", target_len);
  rule(at + ".grad_z", {"i", "j"},
       cell(at + ".feed_forward_norm.grad_sum", {i, j}) + cell(at + ".feed_forward.grad_x", {i, j}));
  norm_backward(cross + "_norm", at + ".grad_z", target_len);
  attention_backward(encoder_decoder_attention(layer));
  rule(at + ".grad_y", {"i", "j"},
       cell(cross + "_norm.grad_sum", {i, j}) + cell(cross + ".grad_query", {i, j}));
  rule(at + ".grad_memory", {"i", "j"},
       cell(cross + ".grad_key", {i, j}) + cell(cross + ".grad_value", {i, j}));
  norm_backward(self + "_norm", at + ".grad_y", target_len);
  attention_backward(self_attention("decoder", layer));
  rule(at + ".grad_x", {"i", "j"},
       cell(self + "_norm.grad_sum", {i, j}) + cell(self + ".grad_query", {i, j}) +
           cell(self + ".grad_key", {i, j}) + cell(self + ".grad_value", {i, j}));
}

void RuleBuilder::input_backward(const std::string& side) {
  using namespace notation;
  rule(side + ".grad_input", {"i", "j"},
       cell(layer_name(side == "source" ? "encoder" : "decoder", 0) + ".grad_x", {i, j}));
  if (config.learns_positions()) {  // one table for both sides: the target reaches it first
    const Formula share = Formula::of(
        "if", {Formula::of("<", {p, number(length_of(side))}), cell(side + ".grad_input", {p, j}), 0});
    const std::string of_target = "target.position_embedding.grad";
    rule(side + ".position_embedding.grad", {"p", "j"},
         side == "target" ? share : cell(of_target, {p, j}) + share);
  }
  rule(side + ".grad_embedding", {"i", "j"},
       Formula::of("sqrt", {number(config.d_model)}) * cell(side + ".grad_input", {i, j}));
}

void RuleBuilder::embedding_backward() {
  using namespace notation;
  const std::string hidden = input_of("decoder", config.decoder_layers);
  const auto share_of = [&](const std::string& side) {
    return Formula::sum_where("i", length_of(side), cell(side + ".grad_embedding", {i, m}),
                              Formula::of("=", {cell(side + ".ids", {i}), k}));
  };
  rule("embedding.grad", {"k", "m"},
       Formula::sum("i", target_len, cell("grad_logits", {i, k}) * cell(hidden, {i, m})) +
           share_of("target") + share_of("source"));
  std::set<int> read(source_ids.begin(), source_ids.end());
  read.insert(target_input.begin(), target_input.end());
  const std::vector<int> rows(read.begin(), read.end());
  rule("embedding.grad_rows", {"i", "m"}, cell("embedding.grad", {Formula::pick("token", i, rows), m}));
}

std::string RuleBuilder::gradient_at_output_of(const std::string& stack, Index layer) const {
  const Index layers = stack == "encoder" ? config.encoder_layers : config.decoder_layers;
  if (layer + 1 < layers) return layer_name(stack, layer + 1) + ".grad_x";
  return stack == "encoder" ? "grad_memory" : "grad_decoder_output";
}

}  // namespace plainformer
