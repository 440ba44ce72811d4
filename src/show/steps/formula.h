// Formulas for the cells of tensors. A formula computes one cell from cells of other tensors, in index notation:
//   products[h, i, j] = sum over p of q[h, i, p] k[h, j, p]
// The step page writes it out with the numbers of a cell. The tests compute it for every cell of a trace.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/real.h"

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
  static Formula sum(const std::string& index, Index count, Formula summand);
  static Formula sum_where(const std::string& index, Index count, Formula summand, Formula condition);
  static Formula pick(const std::string& name, Formula index, std::span<const int> numbers);
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

// JSON, short: a number; "i", an index; [12, "h", "i"], a cell of tensor 12; ["+", a, b]; ["sum", "p", count, a].
std::string to_json(const Formula& formula, const std::function<Index(const std::string&)>& number_of);

}  // namespace plainformer
