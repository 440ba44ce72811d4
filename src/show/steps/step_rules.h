// The rule of each tensor of a trace: how each of its cells is computed from cells of other tensors, forward
// and backward, back to the words and the parameters. A rule is a formula in index notation:
//   products[h, i, j] = sum over p of q[h, i, p] k[h, j, p]
// The step page writes it out with the numbers of a cell. The tests compute it for every cell of a trace.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "show/trace/trace.h"

namespace plainformer {

// A tree. `kind` says what a node is, and what its parts are:
//   number             `value`
//   index              `name`: an index of the cell, or of a sum around this node
//   cell               of the tensor `name`; the parts are its indices
//   + - * / power div mod = <         two parts; div and mod are those of whole numbers, = and < give 1 or 0
//   negative square sqrt exp log sin cos    one part
//   if                 condition, then, else
//   pick               an index, then the numbers from which it picks; `name` is what they are: "target"
//   sum                over the index `name`: its count, the summand, and maybe a condition
//   largest            the rank, from 0; then as in sum
struct Formula {
  std::string kind;
  std::string name = {};
  double value = 0;
  std::vector<Formula> parts = {};

  // A number, so that 2 * x compiles.
  Formula(double number) : kind("number"), value(number) {}
  Formula(std::string kind_of_node, std::string name_of_node, std::vector<Formula> parts_of_node)
      : kind(std::move(kind_of_node)), name(std::move(name_of_node)), parts(std::move(parts_of_node)) {}

  static Formula index(const std::string& name) { return {"index", name, {}}; }
  static Formula cell(const std::string& tensor, std::vector<Formula> indices) {
    return {"cell", tensor, std::move(indices)};
  }
  static Formula of(const std::string& kind, std::vector<Formula> parts) {
    return {kind, "", std::move(parts)};
  }
  static Formula sum(const std::string& index, Index count, Formula summand) {
    return {"sum", index, {static_cast<double>(count), std::move(summand)}};
  }
  static Formula sum_where(const std::string& index, Index count, Formula summand, Formula condition) {
    return {"sum", index, {static_cast<double>(count), std::move(summand), std::move(condition)}};
  }
  static Formula pick(const std::string& name, Formula index, std::span<const int> numbers) {
    std::vector<Formula> all = {std::move(index)};
    for (const int number : numbers) all.emplace_back(static_cast<double>(number));
    return {"pick", name, std::move(all)};
  }
};

inline Formula operator+(Formula a, Formula b) {
  return Formula::of("+", {std::move(a), std::move(b)});
}
inline Formula operator-(Formula a, Formula b) {
  return Formula::of("-", {std::move(a), std::move(b)});
}
inline Formula operator*(Formula a, Formula b) {
  return Formula::of("*", {std::move(a), std::move(b)});
}
inline Formula operator/(Formula a, Formula b) {
  return Formula::of("/", {std::move(a), std::move(b)});
}

struct StepRule {
  Words indices;    // of the cell: as many as the tensor has axes
  Formula formula;  // of the tensors of the trace
};

// By the name of the tensor. Tensors without a rule are not computed: the tokens' numbers and the parameters.
using StepRules = std::map<std::string, StepRule>;

// The rules of all tensors of a trace that shows every value.
StepRules step_rules(const Trace& trace);

}  // namespace plainformer
