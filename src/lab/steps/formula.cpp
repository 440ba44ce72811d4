#include "lab/steps/formula.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/number_text.h"

namespace plainformer {

namespace {

double evaluate_operation(const std::string& kind, double a, double b) {
  if (kind == "+") return a + b;
  if (kind == "-") return a - b;
  if (kind == "*") return a * b;
  if (kind == "/") return a / b;
  if (kind == "power") return std::pow(a, b);
  if (kind == "div") return std::floor(a / b);
  if (kind == "mod") return std::fmod(a, b);
  if (kind == "=") return a == b ? 1 : 0;
  CHECK(kind == "<", "kind=", kind);
  return a < b ? 1 : 0;
}

double evaluate_function(const std::string& kind, double x) {
  if (kind == "negative") return -x;
  if (kind == "square") return x * x;
  if (kind == "sqrt") return std::sqrt(x);
  if (kind == "exp") return std::exp(x);
  if (kind == "log") return std::log(x);
  if (kind == "sin") return std::sin(x);
  CHECK(kind == "cos", "kind=", kind);
  return std::cos(x);
}

// The values of `body` for all values of the index for which the condition holds.
std::vector<double> evaluate_all(const Formula& over, std::size_t first, FormulaIndices& indices,
                                 const CellReader& read) {
  const auto count = static_cast<Index>(evaluate(over.parts[first], indices, read));
  CHECK(indices.count(over.name) == 0, "index ", over.name, " twice");
  std::vector<double> values;
  for (Index at = 0; at < count; ++at) {
    indices[over.name] = at;
    if (over.parts.size() > first + 2 && evaluate(over.parts[first + 2], indices, read) == 0) continue;
    values.push_back(evaluate(over.parts[first + 1], indices, read));
  }
  indices.erase(over.name);
  return values;
}

}  // namespace

Formula Formula::sum(const std::string& index, Index count, Formula summand) {
  return {"sum", index, {static_cast<double>(count), std::move(summand)}};
}

Formula Formula::sum_where(const std::string& index, Index count, Formula summand, Formula condition) {
  return {"sum", index, {static_cast<double>(count), std::move(summand), std::move(condition)}};
}

Formula Formula::pick(const std::string& name, Formula index, std::span<const int> numbers) {
  std::vector<Formula> all = {std::move(index)};
  for (const int number : numbers) all.emplace_back(static_cast<double>(number));
  return {"pick", name, std::move(all)};
}

double evaluate(const Formula& formula, FormulaIndices& indices, const CellReader& read) {
  const auto& [kind, name, value, parts] = formula;
  const auto part = [&](std::size_t i) { return evaluate(formula.parts[i], indices, read); };
  if (kind == "number") return value;
  if (kind == "index") {
    CHECK(indices.count(name) == 1, "no index ", name);
    return static_cast<double>(indices.at(name));
  }
  if (kind == "cell") {
    std::vector<Index> at;
    for (std::size_t i = 0; i < parts.size(); ++i) at.push_back(static_cast<Index>(part(i)));
    return read(name, at);
  }
  if (kind == "if") return part(0) != 0 ? part(1) : part(2);
  if (kind == "pick") return part(1 + static_cast<std::size_t>(part(0)));
  if (kind == "sum") {
    double sum = 0;
    for (const double each : evaluate_all(formula, 0, indices, read)) sum += each;
    return sum;
  }
  if (kind == "largest") {
    std::vector<double> values = evaluate_all(formula, 1, indices, read);
    std::sort(values.rbegin(), values.rend());
    return values.at(static_cast<std::size_t>(part(0)));
  }
  if (parts.size() == 1) return evaluate_function(kind, part(0));
  CHECK(parts.size() == 2, parts.size(), " parts of ", kind);
  return evaluate_operation(kind, part(0), part(1));
}

void for_each_tensor(const Formula& formula, const std::function<void(const std::string&)>& visit) {
  if (formula.kind == "cell") visit(formula.name);
  for (const Formula& part : formula.parts) for_each_tensor(part, visit);
}

std::string to_json(const Formula& formula, const std::function<Index(const std::string&)>& number_of) {
  const auto& [kind, name, value, parts] = formula;
  if (kind == "number") return shortest_text(value);
  if (kind == "index") return "\"" + name + "\"";
  std::string json = kind == "cell" ? "[" + std::to_string(number_of(name)) : "[\"" + kind + "\"";
  if (!name.empty() && kind != "cell") json += ",\"" + name + "\"";
  for (const Formula& part : parts) json += "," + to_json(part, number_of);
  return json + "]";
}

}  // namespace plainformer
