// One sentence through the model as a page of steps: each tensor in the order of its computation, forward and
// back, with the formula and the code that made it, its place in Figure 1, and the arithmetic of each of its
// cells.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "show/trace/trace.h"

namespace plainformer {

// The whole page: self-contained, and it needs its script.    trace: one that shows every value
std::string steps_page(const Trace& trace);

// What the page shows, as JSON: its script can go on to the data of another trace.
std::string steps_data(const Trace& trace);

// ---- the notes: what notes.json says about each kind of tensor

// A place in the code: the function, and the beginning of the comment, or of the line, of its step.
struct CodePlace {
  std::string file, symbol, step;  // "ops/linear.cpp", "linear_forward", "for (Index p"
};

struct StepNote {
  std::string kind;      // "attention.scores"
  std::string section;   // "3.2.1 (1)"
  std::string equation;  // "scores = products / sqrt(d_k)"; {{query}} and {{memory}}: an attention's inputs
  std::string paper;     // the paper's formula: the id of a template in page.html without "paper-"; or ""
  std::string sentence;
  std::string rule;                  // "[h, i, j] = products[h, i, j] / sqrt(d_k)"; see step_rules
  std::vector<CodePlace> code = {};  // the layer's step, then the operation's
};

// All notes, in the order of the passes.
const std::vector<StepNote>& step_notes();

// The kind of the tensor of that name: "encoder.0.self_attention.scores" is an "attention.scores".
std::string kind_of(const std::string& name);

// std::logic_error if there is no note of that kind.
const StepNote& note_of(const std::string& kind);

// A function as it is in the sources, and the lines of a step in it.
struct QuotedFunction {
  int first_line = 0;  // in the file, from 1
  std::vector<std::string> lines;
};
// With the comment above it, up to the line "}". std::logic_error if the file has no such function.
QuotedFunction quote_function(const std::string& file, const std::string& symbol);

// The lines of a step, from the one that begins so: a comment with the lines below it, up to an empty line,
// the next step or the end of its block; [first, last] from 0. std::logic_error if there is none.
std::pair<int, int> lines_of_step(const QuotedFunction& function, const std::string& step);

// ---- the rules: how each cell is computed from cells of other tensors, back to words and parameters

// A tree. `kind` says what a node is, and what its parts are:
//   number             `value`
//   index              `name`: an index of the cell, or of a sum around this node
//   cell               of the tensor `name`; the parts are its indices
//   + - * / = <        two parts; = and < give 1 or 0
//   power div mod      two parts; div and mod are those of whole numbers
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
};

struct StepRule {
  Words indices;    // the indices of the cell: as many as the tensor has axes
  Formula formula;  // a formula of tensors of the trace
};

// The rules of all tensors of a trace that shows every value, by their names. Tensors without a rule are not
// computed: the tokens' numbers and the parameters. A note's rule is written like a call of functions, with
// the index of a sum first: sum(m, d_model, x[i, m] * w_1[m, f]). Names in it are tensors of the same place,
// and those that step_rules.cpp lists: "x", the input of the sub-layer.
// The step page writes a rule out with the numbers of a cell. The tests compute it for every cell of a trace.
std::map<std::string, StepRule> step_rules(const Trace& trace);

}  // namespace plainformer
