#include "app/laboratory.h"

#include "show/commands.h"

namespace plainformer {

namespace {

constexpr Command kLaboratory[] = {
    {"trace", trace_command, "show every tensor of one sentence, forward and backward"},
    {"attention", attention_command, "show where each head looks, or count how often it links two words"},
    {"cost", cost_command, "account for a training step: parameters, multiply-adds, memory, time"},
    {"curve", curve_command, "draw the curves of a training run as a picture (SVG)"},
    {"benchmark", benchmark_command, "measure the limits of this machine, and how close the program comes"},
};

}  // namespace

std::span<const Command> laboratory_commands() {
  return kLaboratory;
}

}  // namespace plainformer
