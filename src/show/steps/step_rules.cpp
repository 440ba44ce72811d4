#include "show/steps/step_rules.h"

#include <set>

#include "core/check.h"
#include "core/number_text.h"
#include "core/special_symbols.h"

namespace plainformer {

namespace {

std::vector<int> ids_of(const Trace& trace, const std::string& name) {
  const TraceRecord* record = find_record(trace, name);
  CHECK(record, "no record ", name);
  std::vector<int> ids;
  for (Index i = 0; i < record->shown.size(); ++i) ids.push_back(static_cast<int>(record->shown.data()[i]));
  return ids;
}

// An attention, and the names and lengths of its inputs.
struct AttentionRulePlace {
  std::string prefix;         // "encoder.0.self_attention"
  std::string query, memory;  // tensors: "source.input"
  Index queries = 0, keys = 0;
};

// Makes the rules of both passes, in the order of trace_forward and of trace_backward.
class RuleBuilder {
 public:
  explicit RuleBuilder(const Trace& of_trace)
      : trace(of_trace),
        config(of_trace.config),
        source_len(std::ssize(of_trace.source)),
        target_len(std::ssize(of_trace.target)),
        source_ids(ids_of(of_trace, "source.ids")),
        target_input(ids_of(of_trace, "target.ids")),
        target_output(target_input.begin() + 1, target_input.end()) {
    target_output.push_back(kEndId);
    CHECK(std::ssize(source_ids) == source_len && std::ssize(target_input) == target_len,
          "a trace that was cut");
  }

  void forward() {
    input("source");
    for (Index layer = 0; layer < config.encoder_layers; ++layer) {
      const std::string at = layer_name("encoder", layer);
      attention(self_attention("encoder", layer));
      norm(at + ".self_attention_norm", input_of("encoder", layer), at + ".self_attention.output");
      feed_forward(at + ".feed_forward", at + ".self_attention_norm.output");
      norm(at + ".feed_forward_norm", at + ".self_attention_norm.output", at + ".feed_forward.output");
    }
    input("target");
    for (Index layer = 0; layer < config.decoder_layers; ++layer) {
      const std::string at = layer_name("decoder", layer), cross = at + ".encoder_decoder_attention";
      attention(self_attention("decoder", layer));
      norm(at + ".self_attention_norm", input_of("decoder", layer), at + ".self_attention.output");
      attention(encoder_decoder_attention(layer));
      norm(cross + "_norm", at + ".self_attention_norm.output", cross + ".output");
      feed_forward(at + ".feed_forward", cross + "_norm.output");
      norm(at + ".feed_forward_norm", cross + "_norm.output", at + ".feed_forward.output");
    }
    prediction();
  }

  void backward() {
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

  StepRules take() { return std::move(rules_); }

 private:
  // ---- short names for the notation of formulas

  static Formula number(Index value) { return static_cast<double>(value); }
  static Formula cell(const std::string& tensor, std::vector<Formula> indices) {
    return Formula::cell(tensor, std::move(indices));
  }
  inline static const Formula c = Formula::index("c"), f = Formula::index("f"), h = Formula::index("h"),
                              i = Formula::index("i"), j = Formula::index("j"), k = Formula::index("k"),
                              m = Formula::index("m"), n = Formula::index("n"), p = Formula::index("p");

  // x_hat of a norm's row i: (sum - mean) rstd.
  static Formula normalized(const std::string& norm, const Formula& row, const Formula& column) {
    return (cell(norm + ".sum", {row, column}) - cell(norm + ".mean", {row})) * cell(norm + ".rstd", {row});
  }
  // The cell of head c / d and column c mod d: the heads side by side.
  static Formula side_by_side(const std::string& heads, const Formula& row, const Formula& column, Index d) {
    return cell(heads,
                {Formula::of("div", {column, number(d)}), row, Formula::of("mod", {column, number(d)})});
  }

  // ---- forward

  void input(const std::string& side) {
    rule(side + ".embedding", {"i", "j"}, cell("embedding", {cell(side + ".ids", {i}), j}));
    rule(side + ".scaled", {"i", "j"},
         Formula::of("sqrt", {number(config.d_model)}) * cell(side + ".embedding", {i, j}));
    if (config.learns_positions()) {
      rule(side + ".positions", {"i", "j"}, cell("position_embedding", {i, j}));
    } else {
      const Formula pair = 2 * Formula::of("div", {j, 2});
      const Formula angle = i / Formula::of("power", {10000, pair / number(config.d_model)});
      rule(side + ".positions", {"i", "j"},
           Formula::of("if", {Formula::of("=", {Formula::of("mod", {j, 2}), 0}), Formula::of("sin", {angle}),
                              Formula::of("cos", {angle})}));
    }
    rule(side + ".input", {"i", "j"}, cell(side + ".scaled", {i, j}) + cell(side + ".positions", {i, j}));
  }

  void attention(const AttentionRulePlace& at) {
    const std::string& a = at.prefix;
    const auto projected = [&](const std::string& x, const std::string& w, Index width) {
      return Formula::sum("m", config.d_model, cell(x, {i, m}) * cell(a + w, {m, h * number(width) + p}));
    };
    rule(a + ".q", {"h", "i", "p"}, projected(at.query, ".w_q", config.head_d_k()));
    rule(a + ".k", {"h", "i", "p"}, projected(at.memory, ".w_k", config.head_d_k()));
    rule(a + ".v", {"h", "i", "p"}, projected(at.memory, ".w_v", config.head_d_v()));
    rule(a + ".products", {"h", "i", "j"},
         Formula::sum("p", config.head_d_k(), cell(a + ".q", {h, i, p}) * cell(a + ".k", {h, j, p})));
    rule(a + ".scores", {"h", "i", "j"},
         cell(a + ".products", {h, i, j}) / Formula::of("sqrt", {number(config.head_d_k())}));
    const bool causal = a.starts_with("decoder.") && a.ends_with(".self_attention");
    rule(a + ".mask", {"i", "j"}, Formula::of("if", {Formula::of("<", {causal ? j : 0, i + 1}), 1, 0}));
    const auto sees = [&](const Formula& key) { return Formula::of("=", {cell(a + ".mask", {i, key}), 1}); };
    const auto power = [&](const Formula& key) {
      return Formula::of("exp", {cell(a + ".scores", {h, i, key})});
    };
    rule(a + ".weights", {"h", "i", "j"},
         Formula::of("if", {sees(j), power(j) / Formula::sum_where("k", at.keys, power(k), sees(k)), 0}));
    rule(a + ".head", {"h", "i", "p"},
         Formula::sum("j", at.keys, cell(a + ".weights", {h, i, j}) * cell(a + ".v", {h, j, p})));
    rule(a + ".concat", {"i", "c"}, side_by_side(a + ".head", i, c, config.head_d_v()));
    rule(a + ".output", {"i", "j"},
         Formula::sum("c", config.heads * config.head_d_v(),
                      cell(a + ".concat", {i, c}) * cell(a + ".w_o", {c, j})));
  }

  void feed_forward(const std::string& at, const std::string& x) {
    rule(at + ".inner", {"i", "f"},
         Formula::sum("m", config.d_model, cell(x, {i, m}) * cell(at + ".w_1", {m, f})) +
             cell(at + ".b_1", {f}));
    const Formula inner = cell(at + ".inner", {i, f});
    rule(at + ".hidden", {"i", "f"}, Formula::of("if", {Formula::of("<", {0, inner}), inner, 0}));
    rule(at + ".output", {"i", "j"},
         Formula::sum("f", config.d_ff, cell(at + ".hidden", {i, f}) * cell(at + ".w_2", {f, j})) +
             cell(at + ".b_2", {j}));
  }

  void norm(const std::string& at, const std::string& x, const std::string& sublayer) {
    const Index d = config.d_model;
    rule(at + ".sum", {"i", "j"}, cell(x, {i, j}) + cell(sublayer, {i, j}));
    rule(at + ".mean", {"i"}, Formula::sum("j", d, cell(at + ".sum", {i, j})) / number(d));
    const Formula distance = cell(at + ".sum", {i, j}) - cell(at + ".mean", {i});
    const Formula variance = Formula::sum("j", d, Formula::of("square", {distance})) / number(d);
    rule(at + ".rstd", {"i"},
         1 / Formula::of("sqrt",
                         {variance + *parse_number<double>(shortest_text(config.layer_norm_epsilon))}));
    rule(at + ".output", {"i", "j"},
         cell(at + ".gain", {j}) * normalized(at, i, j) + cell(at + ".bias", {j}));
  }

  void prediction() {
    const std::string hidden = input_of("decoder", config.decoder_layers);
    rule("logits", {"i", "k"},
         Formula::sum("m", config.d_model, cell(hidden, {i, m}) * cell("embedding", {k, m})));
    const auto power = [&](const Formula& token) { return Formula::of("exp", {cell("logits", {i, token})}); };
    rule("probabilities", {"i", "k"}, power(k) / Formula::sum("n", config.vocab, power(n)));
    rule("best", {"i", "j"}, {"largest", "k", {j, number(config.vocab), cell("probabilities", {i, k})}});
    rule("target_probability", {"i"}, cell("probabilities", {i, Formula::pick("target", i, target_output)}));
    rule("loss", {"i"}, Formula::of("negative", {loss()}));
  }

  // The sum of q log p over the tokens. Without smoothing, q is 1 for the target alone.
  Formula loss() const {
    const double smoothing = trace.label_smoothing;
    const Formula of_target = Formula::of("log", {cell("target_probability", {n})});
    if (smoothing == 0) return Formula::sum("n", target_len, of_target);
    const Formula of_all =
        Formula::sum("k", config.vocab, Formula::of("log", {cell("probabilities", {n, k})}));
    return Formula::sum("n", target_len,
                        (1 - smoothing) * of_target + smoothing / static_cast<double>(config.vocab) * of_all);
  }

  // ---- backward

  void prediction_backward() {
    const double smoothing = trace.label_smoothing, share = smoothing / static_cast<double>(config.vocab);
    const Formula is_target = Formula::of("=", {k, Formula::pick("target", i, target_output)});
    rule("grad_logits", {"i", "k"},
         cell("probabilities", {i, k}) - Formula::of("if", {is_target, 1 - smoothing + share, share}));
    rule("grad_decoder_output", {"i", "m"},
         Formula::sum("k", config.vocab, cell("grad_logits", {i, k}) * cell("embedding", {k, m})));
  }

  void norm_backward(const std::string& at, const std::string& grad_output, Index len) {
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

  void feed_forward_backward(const std::string& at, const std::string& x, Index len) {
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

  void attention_backward(const AttentionRulePlace& at) {
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
  void projections_backward(const AttentionRulePlace& at) {
    struct Projection {
      std::string input, short_name, x;  // "query", "q", its tensor
      Index len, width;
    };
    const Index d_k = config.head_d_k(), d_v = config.head_d_v();
    for (const Projection& each : {Projection{"query", "q", at.query, at.queries, d_k},
                                   Projection{"key", "k", at.memory, at.keys, d_k},
                                   Projection{"value", "v", at.memory, at.keys, d_v}}) {
      const std::string w = at.prefix + ".w_" + each.short_name,
                        grad = at.prefix + ".grad_" + each.short_name;
      const Formula grad_product = side_by_side(grad, i, c, each.width);
      rule(at.prefix + ".grad_" + each.input, {"i", "m"},
           Formula::sum("c", config.heads * each.width, grad_product * cell(w, {m, c})));
      rule(w + ".grad", {"m", "c"}, Formula::sum("i", each.len, cell(each.x, {i, m}) * grad_product));
    }
  }

  void encoder_layer_backward(Index layer) {
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

  void decoder_layer_backward(Index layer) {
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

  void input_backward(const std::string& side) {
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

  void embedding_backward() {
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

  // ---- names and lengths

  static std::string layer_name(const std::string& stack, Index layer) {
    return stack + "." + std::to_string(layer);
  }

  std::string input_of(const std::string& stack, Index layer) const {
    if (layer > 0) return layer_name(stack, layer - 1) + ".feed_forward_norm.output";
    return stack == "encoder" ? "source.input" : "target.input";
  }

  std::string gradient_at_output_of(const std::string& stack, Index layer) const {
    const Index layers = stack == "encoder" ? config.encoder_layers : config.decoder_layers;
    if (layer + 1 < layers) return layer_name(stack, layer + 1) + ".grad_x";
    return stack == "encoder" ? "grad_memory" : "grad_decoder_output";
  }

  AttentionRulePlace self_attention(const std::string& stack, Index layer) const {
    const Index len = stack == "encoder" ? source_len : target_len;
    const std::string x = input_of(stack, layer);
    return {.prefix = layer_name(stack, layer) + ".self_attention",
            .query = x,
            .memory = x,
            .queries = len,
            .keys = len};
  }

  AttentionRulePlace encoder_decoder_attention(Index layer) const {
    const std::string at = layer_name("decoder", layer);
    return {.prefix = at + ".encoder_decoder_attention",
            .query = at + ".self_attention_norm.output",
            .memory = memory(),
            .queries = target_len,
            .keys = source_len};
  }

  std::string memory() const { return input_of("encoder", config.encoder_layers); }
  Index length_of(const std::string& side) const { return side == "source" ? source_len : target_len; }

  void rule(const std::string& name, const Words& indices, Formula formula) {
    rules_.emplace(name, StepRule{indices, std::move(formula)});
  }

  const Trace& trace;
  const ModelConfig& config;
  const Index source_len, target_len;
  const std::vector<int> source_ids, target_input;
  std::vector<int> target_output;  // the tokens to predict
  StepRules rules_;
};

}  // namespace

StepRules step_rules(const Trace& trace) {
  RuleBuilder builder(trace);
  builder.forward();
  builder.backward();
  return builder.take();
}

}  // namespace plainformer
