// Options that several commands share, and standard input and output.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "command_line/command_line.h"
#include "core/real.h"

namespace plainformer {

// How a command computes.
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

// Checks and chooses that precision.
void use_precision(const std::string& name);

// "a,b" as {"a", "b"}. UsageError for a name that is not in `known`.
std::vector<std::string> chosen_names(const std::string& option, const std::string& names,
                                      const std::vector<std::string>& known);

// "4,16,64" as {4, 16, 64}. UsageError unless they are ascending whole numbers from 1 to the largest one.
std::vector<Index> ascending_numbers(const std::string& option, const std::string& text, Index largest);

// Throws std::runtime_error if standard input did not end but could not be read (it may be a folder). Call it
// after the last line.
void check_input();

// Throws std::runtime_error if a file cannot be written there, for use before long work. "-" and "" are
// writable.
void require_writable(const std::string& path);

// Throws std::runtime_error if writing the file would destroy an input. "-" and "" destroy none.
void require_no_input(const std::string& path, const std::vector<std::string>& inputs);

// Writes a file completely or not at all; "-" is standard output. std::runtime_error if it cannot.
void write_output(const std::string& path, const std::string& text);

// Writes a page of HTML as write_output does. Then standard error says how large it is and how to open it,
// unless it went to standard output.
void write_page(const std::string& path, const std::string& html);

// Flushes standard output. std::runtime_error if not everything could be written (the disk may be full).
// Returns 0.
int finish_output();

// Prints warnings to standard error, each on one line after the names of the program and the command.
std::function<void(const std::string&)> warnings_of(const std::string& command);

}  // namespace plainformer
