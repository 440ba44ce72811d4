// What the rules of both passes share: the sizes, the names of a layer's input and output, and short names for formulas.
#pragma once

#include "show/steps/step_rules.h"

namespace plainformer {

// Where an attention stands, and the names and lengths of what it attends from and to.
struct AttentionRulePlace {
  std::string prefix;         // "encoder.0.self_attention"
  std::string query, memory;  // tensors: "source.input"
  Index queries = 0, keys = 0;
};

class RuleBuilder {
 public:
  explicit RuleBuilder(const Trace& of_trace);

  void forward();
  void backward();
  StepRules take() { return std::move(rules_); }

 private:
  // forward
  void input(const std::string& side);
  void attention(const AttentionRulePlace& at);
  void feed_forward(const std::string& at, const std::string& x);
  void norm(const std::string& at, const std::string& x, const std::string& sublayer);
  void prediction();
  Formula loss() const;

  // backward
  void prediction_backward();
  void norm_backward(const std::string& at, const std::string& grad_output, Index len);
  void feed_forward_backward(const std::string& at, const std::string& x, Index len);
  void attention_backward(const AttentionRulePlace& at);
  void projections_backward(const AttentionRulePlace& at);
  void encoder_layer_backward(Index layer);
  void decoder_layer_backward(Index layer);
  void input_backward(const std::string& side);
  void embedding_backward();

  // names
  static std::string layer_name(const std::string& stack, Index layer) {
    return stack + "." + std::to_string(layer);
  }
  std::string input_of(const std::string& stack, Index layer) const;
  std::string gradient_at_output_of(const std::string& stack, Index layer) const;
  std::string memory() const { return input_of("encoder", config.encoder_layers); }
  AttentionRulePlace self_attention(const std::string& stack, Index layer) const;
  AttentionRulePlace encoder_decoder_attention(Index layer) const;
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

// Short names for the notation of formulas.
namespace notation {

inline Formula number(Index value) {
  return static_cast<double>(value);
}
inline Formula cell(const std::string& tensor, std::vector<Formula> indices) {
  return Formula::cell(tensor, std::move(indices));
}
inline const Formula c = Formula::index("c"), f = Formula::index("f"), h = Formula::index("h"),
                     i = Formula::index("i"), j = Formula::index("j"), k = Formula::index("k"),
                     m = Formula::index("m"), n = Formula::index("n"), p = Formula::index("p");

// x_hat of a norm's row i: (sum - mean) rstd.
inline Formula normalized(const std::string& norm, const Formula& row, const Formula& column) {
  return (cell(norm + ".sum", {row, column}) - cell(norm + ".mean", {row})) * cell(norm + ".rstd", {row});
}
// The cell of head c / d and column c mod d: the heads side by side.
inline Formula side_by_side(const std::string& heads, const Formula& row, const Formula& column, Index d) {
  return cell(heads, {Formula::of("div", {column, number(d)}), row, Formula::of("mod", {column, number(d)})});
}

}  // namespace notation

}  // namespace plainformer
