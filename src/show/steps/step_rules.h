// The rule of each tensor of a trace: how each of its cells is computed from cells of other tensors, forward and
// backward, back to the words and the parameters.
#pragma once

#include <map>

#include "show/steps/formula.h"
#include "show/trace/trace.h"

namespace plainformer {

struct StepRule {
  Words indices;    // of the cell: as many as the tensor has axes
  Formula formula;  // of the tensors of the trace
};

// By the name of the tensor. Those without a rule are not computed: the tokens' numbers and the parameters.
using StepRules = std::map<std::string, StepRule>;

// The rules of all tensors of a trace of which everything is shown.
StepRules step_rules(const Trace& trace);

}  // namespace plainformer
