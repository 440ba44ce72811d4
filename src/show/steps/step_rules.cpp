// The rules of the forward pass, in the order of trace_forward.
#include "core/check.h"
#include "core/number_text.h"
#include "core/special_symbols.h"
#include "show/steps/rule_builder.h"

namespace plainformer {

namespace {

std::vector<int> ids_of(const Trace& trace, const std::string& name) {
  const TraceRecord* record = find_record(trace, name);
  CHECK(record, "no record ", name);
  std::vector<int> ids;
  for (Index i = 0; i < record->shown.size(); ++i) ids.push_back(static_cast<int>(record->shown.data()[i]));
  return ids;
}

}  // namespace

void RuleBuilder::forward() {
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

void RuleBuilder::input(const std::string& side) {
  using namespace notation;
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

void RuleBuilder::attention(const AttentionRulePlace& at) {
  using namespace notation;
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

void RuleBuilder::feed_forward(const std::string& at, const std::string& x) {
  using namespace notation;
  rule(at + ".inner", {"i", "f"},
       Formula::sum("m", config.d_model, cell(x, {i, m}) * cell(at + ".w_1", {m, f})) +
           cell(at + ".b_1", {f}));
  const Formula inner = cell(at + ".inner", {i, f});
  rule(at + ".hidden", {"i", "f"}, Formula::of("if", {Formula::of("<", {0, inner}), inner, 0}));
  rule(at + ".output", {"i", "j"},
       Formula::sum("f", config.d_ff, cell(at + ".hidden", {i, f}) * cell(at + ".w_2", {f, j})) +
           cell(at + ".b_2", {j}));
}

void RuleBuilder::norm(const std::string& at, const std::string& x, const std::string& sublayer) {
  using namespace notation;
  const Index d = config.d_model;
  rule(at + ".sum", {"i", "j"}, cell(x, {i, j}) + cell(sublayer, {i, j}));
  rule(at + ".mean", {"i"}, Formula::sum("j", d, cell(at + ".sum", {i, j})) / number(d));
  const Formula distance = cell(at + ".sum", {i, j}) - cell(at + ".mean", {i});
  const Formula variance = Formula::sum("j", d, Formula::of("square", {distance})) / number(d);
  rule(at + ".rstd", {"i"},
       1 / Formula::of("sqrt", {variance + *parse_number<double>(shortest_text(config.layer_norm_epsilon))}));
  rule(at + ".output", {"i", "j"}, cell(at + ".gain", {j}) * normalized(at, i, j) + cell(at + ".bias", {j}));
}

void RuleBuilder::prediction() {
  using namespace notation;
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
Formula RuleBuilder::loss() const {
  using namespace notation;
  const double smoothing = trace.label_smoothing;
  const Formula of_target = Formula::of("log", {cell("target_probability", {n})});
  if (smoothing == 0) return Formula::sum("n", target_len, of_target);
  const Formula of_all = Formula::sum("k", config.vocab, Formula::of("log", {cell("probabilities", {n, k})}));
  return Formula::sum("n", target_len,
                      (1 - smoothing) * of_target + smoothing / static_cast<double>(config.vocab) * of_all);
}

std::string RuleBuilder::input_of(const std::string& stack, Index layer) const {
  if (layer > 0) return layer_name(stack, layer - 1) + ".feed_forward_norm.output";
  return stack == "encoder" ? "source.input" : "target.input";
}

AttentionRulePlace RuleBuilder::self_attention(const std::string& stack, Index layer) const {
  const Index len = stack == "encoder" ? source_len : target_len;
  const std::string x = input_of(stack, layer);
  return {.prefix = layer_name(stack, layer) + ".self_attention",
          .query = x,
          .memory = x,
          .queries = len,
          .keys = len};
}

AttentionRulePlace RuleBuilder::encoder_decoder_attention(Index layer) const {
  const std::string at = layer_name("decoder", layer);
  return {.prefix = at + ".encoder_decoder_attention",
          .query = at + ".self_attention_norm.output",
          .memory = memory(),
          .queries = target_len,
          .keys = source_len};
}

RuleBuilder::RuleBuilder(const Trace& of_trace)
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

StepRules step_rules(const Trace& trace) {
  RuleBuilder builder(trace);
  builder.forward();
  builder.backward();
  return builder.take();
}

}  // namespace plainformer
