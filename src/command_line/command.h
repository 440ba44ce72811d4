// A subcommand of the program, as its table lists it.
#pragma once

#include "command_line/command_line.h"

namespace plainformer {

struct Command {
  const char* name;
  // Takes the arguments after the command's name and returns the exit code: 0 for success, 1 for failure,
  // 128 + the signal's number if a signal stopped a training run. It throws UsageError for arguments that cannot be
  // understood (exit code 2), and std::runtime_error for other failures (1).
  int (*run)(const Arguments&);
  const char* summary;
};

}  // namespace plainformer
