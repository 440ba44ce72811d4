#include "app/laboratory.h"

#include "lab/commands.h"

namespace plainformer {

namespace {

constexpr Command kLaboratory[] = {
    {"variations", variations_command, "train the rows of Table 3, and compare them"},
    {"trace", trace_command, "show every tensor of one sentence, forward and backward"},
    {"attention", attention_command, "show where each head looks, or count how often it links two words"},
    {"layers", layers_command, "measure Table 1: attention, recurrent and convolutional layers"},
    {"cost", cost_command, "account for a training step: parameters, multiply-adds, memory, time"},
    {"curve", curve_command, "draw the curves of a training run as a picture (SVG)"},
    {"plot", plot_command, "draw one of the documentation's pictures (SVG)"},
    {"experiment", experiment_command, "compare parts of the model and of its training by small runs"},
    {"benchmark", benchmark_command, "measure the limits of this machine, and how close the program comes"},
};

}  // namespace

std::span<const Command> laboratory_commands() {
  return kLaboratory;
}

}  // namespace plainformer
