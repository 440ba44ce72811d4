// The subcommands that look at the paper and at a model from outside. No other command needs them.
#pragma once

#include "report/command_line.h"

namespace plainformer {

int trace_command(const Arguments& arguments);
int attention_command(const Arguments& arguments);
int cost_command(const Arguments& arguments);
int curve_command(const Arguments& arguments);
int benchmark_command(const Arguments& arguments);

}  // namespace plainformer
