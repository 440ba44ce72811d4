// A trace as text: to read on a terminal, and to compare by diff.
#pragma once

#include <string>

#include "show/trace/trace.h"

namespace plainformer {

// Lines, each with a line break at its end. Control characters and malformed bytes in tokens become U+FFFD.
std::string to_text(const Trace& trace);

// Its records alone, with empty lines between them.
std::string records_to_text(const Trace& trace);

// One record of a trace, from its name to its last value.
std::string to_text(const TraceRecord& record);

// The model and its sizes, for text and step page: "an untrained model: d_model 8, ..."
std::string describe_model(const Trace& trace);
// The origin of the target, and the loss.
std::string describe_target(const Trace& trace);
std::string describe_loss(const Trace& trace);
// The names in the equations that no record has.
inline constexpr const char* kNamesInEquations =
    "x, y, z: the inputs of a layer's sub-layers; memory: the encoder's output; E: the embedding matrix; "
    "grad_output: the gradient that arrives at an output";

}  // namespace plainformer
