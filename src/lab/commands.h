// The laboratory's subcommands. They look at the paper and at a model from outside; no other command needs them.
#pragma once

#include "command_line/command_line.h"

namespace plainformer {

int variations_command(const Arguments& arguments);
int trace_command(const Arguments& arguments);
int attention_command(const Arguments& arguments);
int layers_command(const Arguments& arguments);
int cost_command(const Arguments& arguments);
int curve_command(const Arguments& arguments);
int plot_command(const Arguments& arguments);
int experiment_command(const Arguments& arguments);
int benchmark_command(const Arguments& arguments);

}  // namespace plainformer
