// How a command computes: its threads, its plain operations and the precision of its products.
#pragma once

#include <string>

#include "report/command_line.h"

namespace plainformer {

struct ComputeSettings {
  Index threads = 0;                // 0: the default
  std::string plain;                // names of groups of operations; empty: those of PLAINFORMER_PLAIN
  std::string precision = "float";  // "float" or "bf16"

  // Sets them for the whole program. std::runtime_error if one is out of range or unknown, or if the plain
  // way, which computes in float, would ignore bf16.
  void use() const;
};

// Adds --threads and --plain, for commands that compute in float.
void add_float_options(CommandLine& line, ComputeSettings* settings);

// Adds --precision, too.
void add_compute_options(CommandLine& line, ComputeSettings* settings);

}  // namespace plainformer
