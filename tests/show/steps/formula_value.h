// What formulas and rules of the step page give for a cell.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>

#include "core/check.h"
#include "show/steps/step_rules.h"

namespace plainformer {

using FormulaIndices = std::map<std::string, Index>;
using CellReader = std::function<double(const std::string& tensor, std::span<const Index> indices)>;

// The formula's value at these indices, in double. std::logic_error for an unknown kind or index.
inline double formula_value(const Formula& formula, FormulaIndices& indices, const CellReader& read);

inline double evaluate_operation(const std::string& kind, double a, double b) {
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

inline double evaluate_function(const std::string& kind, double x) {
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
inline std::vector<double> evaluate_all(const Formula& over, std::size_t first, FormulaIndices& indices,
                                        const CellReader& read) {
  const auto count = static_cast<Index>(formula_value(over.parts[first], indices, read));
  CHECK(indices.count(over.name) == 0, "index ", over.name, " twice");
  std::vector<double> values;
  for (Index at = 0; at < count; ++at) {
    indices[over.name] = at;
    if (over.parts.size() > first + 2 && formula_value(over.parts[first + 2], indices, read) == 0) continue;
    values.push_back(formula_value(over.parts[first + 1], indices, read));
  }
  indices.erase(over.name);
  return values;
}

inline double formula_value(const Formula& formula, FormulaIndices& indices, const CellReader& read) {
  const auto& [kind, name, value, parts] = formula;
  const auto part = [&](std::size_t i) { return formula_value(formula.parts[i], indices, read); };
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

// The formula at one cell, with the values that the trace has of the other tensors.
inline double formula_value(const StepRule& rule, const Trace& trace, std::span<const Index> cell) {
  CHECK(cell.size() == rule.indices.size(), cell.size(), " indices");
  FormulaIndices indices;
  for (std::size_t axis = 0; axis < cell.size(); ++axis) indices[rule.indices[axis]] = cell[axis];
  return formula_value(rule.formula, indices, [&](const std::string& name, std::span<const Index> at) {
    const TraceRecord* record = find_record(trace, name);
    CHECK(record && at.size() == record->axes.size(), "no cell of ", name, " with ", at.size(), " indices");
    Index offset = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
      const Index extent = record->shown.dim(static_cast<int>(axis));
      CHECK(at[axis] >= 0 && at[axis] < extent, "index ", at[axis], " of ", extent, " in ", name);
      offset = offset * extent + at[axis];
    }
    return static_cast<double>(record->shown.data()[offset]);
  });
}

}  // namespace plainformer
