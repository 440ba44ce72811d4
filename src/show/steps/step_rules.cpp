#include <algorithm>
#include <cctype>
#include <set>

#include "core/check.h"
#include "core/number_text.h"
#include "core/special_symbols.h"
#include "show/steps/steps_page.h"

namespace plainformer {

namespace {

// The names that the rules of one place of the model may use, beyond the tensors of that place.
struct RuleNames {
  std::string place;                            // "encoder.0.self_attention"; "" for the prediction
  std::map<std::string, std::string> tensors;   // "x": "source.input"
  std::map<std::string, double> numbers;        // sizes, and conditions as 1 or 0
  std::map<std::string, std::vector<int>> ids;  // from which `pick` picks
};

Formula number(double value) {
  return {.kind = "number", .value = value};
}

// Two numbers become one, and a condition of numbers chooses its branch at once: so one rule serves both
// kinds of positions, and a loss with and without smoothing.
Formula operation(const std::string& kind, Formula a, Formula b) {
  if (a.kind == "number" && b.kind == "number") {
    const double x = a.value, y = b.value;
    if (kind == "+") return number(x + y);
    if (kind == "-") return number(x - y);
    if (kind == "*") return number(x * y);
    if (kind == "/") return number(x / y);
    if (kind == "=") return number(x == y ? 1 : 0);
  }
  return {.kind = kind, .parts = {std::move(a), std::move(b)}};
}

// Reads a rule by descent: comparison, sum, product, factor.
class RuleReader {
 public:
  RuleReader(const std::string& text, const RuleNames& names, const std::set<std::string>& tensors)
      : text_(text), names_(names), tensors_(tensors) {}

  StepRule read() {
    StepRule rule;
    expect('[');
    do rule.indices.push_back(word());
    while (accept(','));
    expect(']');
    expect('=');
    rule.formula = comparison();
    CHECK(at_ == text_.size(), "the rule goes on: ", text_.substr(at_));
    return rule;
  }

 private:
  Formula comparison() {
    Formula left = sum();
    for (const char sign : {'=', '<'})
      if (accept(sign)) return operation(std::string(1, sign), std::move(left), sum());
    return left;
  }

  Formula sum() {
    Formula left = product();
    while (true) {
      if (accept('+'))
        left = operation("+", std::move(left), product());
      else if (accept('-'))
        left = operation("-", std::move(left), product());
      else
        return left;
    }
  }

  Formula product() {
    Formula left = factor();
    while (true) {
      if (accept('*'))
        left = operation("*", std::move(left), factor());
      else if (accept('/'))
        left = operation("/", std::move(left), factor());
      else
        return left;
    }
  }

  Formula factor() {
    if (accept('(')) {
      Formula inner = comparison();
      expect(')');
      return inner;
    }
    const std::string name = word();
    if (accept('[')) return {.kind = "cell", .name = tensor(name), .parts = list(']')};
    if (accept('(')) return call(name);
    if (const auto value = parse_number<double>(name)) return number(*value);
    if (const auto size = names_.numbers.find(name); size != names_.numbers.end())
      return number(size->second);
    CHECK(name.size() == 1, name, " has no meaning in ", text_);
    return {.kind = "index", .name = name};
  }

  Formula call(const std::string& function) {
    Formula result = {.kind = function};
    if (function == "sum" || function == "largest" || function == "pick") {
      result.name = word();
      expect(',');
    }
    result.parts = list(')');
    if (function == "pick")
      for (const int id : names_.ids.at(result.name)) result.parts.push_back(number(id));
    if (function == "if" && result.parts[0].kind == "number")
      return Formula(result.parts[0].value != 0 ? result.parts[1] : result.parts[2]);
    return result;
  }

  std::vector<Formula> list(char end) {
    std::vector<Formula> parts;
    do parts.push_back(comparison());
    while (accept(','));
    expect(end);
    return parts;
  }

  // The full name of a tensor: a name of this place, or of the whole trace.
  std::string tensor(const std::string& name) const {
    if (const auto known = names_.tensors.find(name); known != names_.tensors.end()) return known->second;
    const std::string here = names_.place + "." + name;
    return tensors_.count(here) > 0 ? here : name;
  }

  std::string word() {
    skip_spaces();
    const std::size_t begin = at_;
    const auto belongs = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    };
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    CHECK(at_ > begin, "a name is missing in ", text_);
    return text_.substr(begin, at_ - begin);
  }

  bool accept(char sign) {
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != sign) return false;
    ++at_;
    return true;
  }

  void expect(char sign) { CHECK(accept(sign), std::string(1, sign), " is missing in ", text_); }

  void skip_spaces() { at_ = std::min(text_.find_first_not_of(' ', at_), text_.size()); }

  const std::string& text_;
  const RuleNames& names_;
  const std::set<std::string>& tensors_;
  std::size_t at_ = 0;
};

std::vector<int> ids_of(const Trace& trace, const std::string& name) {
  const Tensor& shown = find_record(trace, name).shown;
  std::vector<int> ids;
  for (Index i = 0; i < shown.size(); ++i) ids.push_back(static_cast<int>(shown.data()[i]));
  return ids;
}

std::string layer_name(const std::string& stack, Index layer) {
  return stack + "." + std::to_string(layer);
}

std::string input_of(const std::string& stack, Index layer) {
  if (layer > 0) return layer_name(stack, layer - 1) + ".feed_forward_norm.output";
  return stack == "encoder" ? "source.input" : "target.input";
}

// The names that mean the same at all places.
RuleNames names_of_model(const Trace& trace) {
  const ModelConfig& config = trace.config;
  const auto size = [](Index value) { return static_cast<double>(value); };
  RuleNames names;
  names.tensors = {{"E", "embedding"}, {"decoder_output", input_of("decoder", config.decoder_layers)}};
  names.numbers = {{"d_model", size(config.d_model)},
                   {"d_ff", size(config.d_ff)},
                   {"d_k", size(config.head_d_k())},
                   {"d_v", size(config.head_d_v())},
                   {"heads", size(config.heads)},
                   {"vocab", size(config.vocab)},
                   {"source_len", size(std::ssize(trace.source))},
                   {"target_len", size(std::ssize(trace.target))},
                   {"epsilon", *parse_number<double>(shortest_text(config.layer_norm_epsilon))},
                   {"smoothing", trace.label_smoothing},
                   {"learned", config.learns_positions() ? 1 : 0}};
  const std::vector<int> source = ids_of(trace, "source.ids"), target = ids_of(trace, "target.ids");
  CHECK(source.size() == trace.source.size() && target.size() == trace.target.size(), "a trace that was cut");
  names.ids["target"] = {target.begin() + 1, target.end()};
  names.ids["target"].push_back(kEndId);
  std::set<int> read(source.begin(), source.end());
  read.insert(target.begin(), target.end());
  names.ids["token"] = {read.begin(), read.end()};
  return names;
}

// Adds the names in a sub-layer or in the norm after it.
void add_names_in_layer(const ModelConfig& config, RuleNames& names) {
  const std::string& place = names.place;
  const std::string stack = place.substr(0, 7), at = place.substr(0, place.find('.', 8));  // "decoder.0"
  const bool is_encoder = stack == "encoder", is_norm = place.ends_with("_norm");
  const std::string part = is_norm ? place.substr(0, place.size() - 5) : place;
  const bool is_self = part.ends_with(".self_attention"),
             is_cross = part.ends_with(".encoder_decoder_attention");
  const Index layer = *parse_number<Index>(at.substr(8));
  const bool is_last = layer + 1 == (is_encoder ? config.encoder_layers : config.decoder_layers);

  std::string x = input_of(stack, layer), grad_of_norm = at + ".grad_y";
  if (!is_self)
    x = at + (is_encoder || is_cross ? ".self_attention" : ".encoder_decoder_attention") + "_norm.output";
  if (is_cross) grad_of_norm = at + ".grad_z";
  if (part.ends_with(".feed_forward")) {
    grad_of_norm = is_encoder ? "grad_memory" : "grad_decoder_output";
    if (!is_last) grad_of_norm = layer_name(stack, layer + 1) + ".grad_x";
  }
  names.tensors["x"] = names.tensors["query"] = x;
  names.tensors["memory"] = is_cross ? input_of("encoder", config.encoder_layers) : x;
  names.tensors["sublayer"] = part + ".output";
  names.tensors["grad_output"] = is_norm ? grad_of_norm : part + "_norm.grad_sum";
  names.numbers["queries"] = names.numbers["rows"];
  names.numbers["keys"] = is_cross ? names.numbers["source_len"] : names.numbers["rows"];
  names.numbers["causal"] = !is_encoder && is_self ? 1 : 0;
}

// Adds the names at the place of a tensor, which its own name ends.
RuleNames names_at(const std::string& tensor, const ModelConfig& config, RuleNames names) {
  const std::string name = tensor.ends_with(".grad") ? tensor.substr(0, tensor.size() - 5) : tensor;
  names.place = name.substr(0, name.find('.') == std::string::npos ? 0 : name.rfind('.'));
  const bool of_source = names.place.starts_with("source") || names.place.starts_with("encoder");
  names.numbers["rows"] = names.numbers[of_source ? "source_len" : "target_len"];
  names.numbers["is_target"] = names.place == "target" ? 1 : 0;
  if (names.place == "source" || names.place == "target")
    names.tensors["grad_x"] = of_source ? "encoder.0.grad_x" : "decoder.0.grad_x";
  if (std::count(names.place.begin(), names.place.end(), '.') == 2) add_names_in_layer(config, names);
  return names;
}

// The memory's gradient is a sum over the decoder's layers, the last one first: their number is the model's.
std::string rule_of_memory(Index layers) {
  std::string rule;
  while (layers-- > 0)
    rule += (rule.empty() ? "[i, j] = " : " + ") + layer_name("decoder", layers) + ".grad_memory[i, j]";
  return rule;
}

}  // namespace

std::map<std::string, StepRule> step_rules(const Trace& trace) {
  std::set<std::string> tensors;
  for (const TraceRecord& record : trace.records) tensors.insert(record.name);
  const RuleNames names = names_of_model(trace);
  std::map<std::string, StepRule> rules;
  for (const std::string& tensor : tensors) {
    const std::string kind = kind_of(tensor);
    const std::string rule =
        kind == "grad_memory" ? rule_of_memory(trace.config.decoder_layers) : note_of(kind).rule;
    if (rule.empty()) continue;
    rules.emplace(tensor, RuleReader(rule, names_at(tensor, trace.config, names), tensors).read());
  }
  return rules;
}

}  // namespace plainformer
