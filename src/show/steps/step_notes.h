// What the page says about each kind of tensor: a sentence in our words, the paper's formula, and the code.
// notes.json has the sentences.
#pragma once

#include <string>
#include <vector>

namespace plainformer {

// A place in the code: the function, and the beginning of the comment, or of the line, of its step.
struct CodePlace {
  std::string file, symbol, step;  // "ops/linear.cpp", "linear_forward", "for (Index p"
};

struct StepNote {
  std::string kind;   // "attention.scores"
  std::string paper;  // the paper's formula: the id of a template in page.html without "paper-"; or ""
  std::string sentence;
  std::vector<CodePlace> code;  // the layer's step, then the operation's
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

}  // namespace plainformer
