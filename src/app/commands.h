// The subcommands of the program. Each takes the arguments behind its name and returns the exit code: 0 done,
// 1 failed, 128 + the signal's number for a training that was stopped by it. UsageError for arguments that
// cannot be understood (exit code 2), std::runtime_error for what went wrong (1).
#pragma once

#include <string>
#include <vector>

#include "app/command_line.h"

namespace plainformer {

int train_command(const Arguments& arguments);
int translate_command(const Arguments& arguments);
int score_command(const Arguments& arguments);
int bleu_command(const Arguments& arguments);
int bpe_command(const Arguments& arguments);
int inspect_command(const Arguments& arguments);
int curve_command(const Arguments& arguments);
int average_command(const Arguments& arguments);
int export_command(const Arguments& arguments);
int import_command(const Arguments& arguments);
int benchmark_command(const Arguments& arguments);

}  // namespace plainformer
