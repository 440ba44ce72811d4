// How a command computes: its threads, its ways and its precision.
#pragma once

#include <string>

#include "report/command_line.h"

namespace plainformer {

struct ComputeSettings {
  Index threads = 0;  // 0: the default
  std::string plain,
      precision = "float";  // the groups that are plain (""; those of PLAINFORMER_PLAIN); of products

  // Sets the number of threads, the ways and the precision. std::runtime_error for one that is out of range
  // or unknown.
  void use() const;
};

// Adds --threads, --plain and --precision.
void add_compute_options(CommandLine& line, ComputeSettings* settings);

// Adds --threads N, for use_threads.
void add_threads_option(CommandLine& line, Index* count);

// Sets the number of threads; 0 keeps the default. std::runtime_error for a number out of range.
void use_threads(Index count);

// Adds --plain[=NAMES], which chooses the plain way of operations.
void add_plain_option(CommandLine& line, std::string* plain);

// Chooses the ways that --plain names. An empty text keeps those of PLAINFORMER_PLAIN, or the default ones.
void use_ways(const std::string& plain);

// Adds --precision NAME.
void add_precision_option(CommandLine& line, std::string* precision);

// Throws std::runtime_error for an unknown name of a precision, or if the plain way, which computes in float,
// would ignore bf16. Call it after use_ways.
void check_precision(const std::string& name);

// Checks and chooses that precision, and the kernels that are the fastest for it.
void use_precision(const std::string& name);

}  // namespace plainformer
