// A trace as text, to read on a terminal and to compare by diff, and as JSON, for other programs. The step
// page writes its numbers with the same digits.
#pragma once

#include <string>

#include "show/trace/trace.h"

namespace plainformer {

// All values of one record have the same number of decimals, so that their points align. The largest value
// has three or four digits. An exact zero is "0", and a value that only rounds to zero is "0.000", so a
// masked weight looks different from a small one.
class NumberStyle {
 public:
  static NumberStyle of(const Tensor& values);
  static NumberStyle of(double value);
  static NumberStyle up_to(double largest);  // for fractions

  std::string write(double value) const;

  // The parts of the style, for another writer: the digits after the point, and whether a number is written
  // as "1.25e-07".
  int decimals() const { return decimals_; }
  bool scientific() const { return scientific_; }

 private:
  NumberStyle(double largest, bool integers);

  int decimals_ = 0;
  bool scientific_ = false;
};

// Lines, each with a line break at its end. Control characters and malformed bytes in tokens become U+FFFD.
std::string to_text(const Trace& trace);

// Its records alone, with empty lines between them.
std::string records_to_text(const Trace& trace);

// One record of a trace, from its name to its last value.
std::string to_text(const TraceRecord& record);

// The model and its sizes, for text and step page: "the page model: 1+1 layers, ..."
std::string describe_model(const Trace& trace);
// The origin of the target, and the loss.
std::string describe_target(const Trace& trace);
std::string describe_loss(const Trace& trace);
// The names in the equations that no record has.
inline constexpr const char* kNamesInEquations =
    "x, y, z: the inputs of a layer's sub-layers; memory: the encoder's output; E: the embedding matrix; "
    "grad_output: the gradient that arrives at an output";

// One JSON document, in which each record is one line: the values with all their digits. docs/reference.md
// has the schema.
std::string to_json(const Trace& trace);

}  // namespace plainformer
