// The everyday subcommands of the program. Each takes the arguments after its name and returns the exit code:
// 0 for success, 1 for failure, 128 + the signal's number if a signal stopped a training run. They throw
// UsageError for arguments that cannot be understood (exit code 2), and std::runtime_error for other failures
// (1).
#pragma once

#include "report/command_line.h"

namespace plainformer {

int train_command(const Arguments& arguments);
int translate_command(const Arguments& arguments);
int score_command(const Arguments& arguments);
int bleu_command(const Arguments& arguments);
int treebank_command(const Arguments& arguments);
int parse_command(const Arguments& arguments);
int f1_command(const Arguments& arguments);
int bpe_command(const Arguments& arguments);
int inspect_command(const Arguments& arguments);
int average_command(const Arguments& arguments);
int export_command(const Arguments& arguments);
int import_command(const Arguments& arguments);

}  // namespace plainformer
