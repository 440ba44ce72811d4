// What several commands share: --threads, and the ends of standard input and output.
#pragma once

#include <string>

#include "app/command_line.h"
#include "core/real.h"

namespace plainformer {

// 0 keeps the default. std::runtime_error for a number that makes no sense.
void use_threads(Index count);

// --plain[=NAMES], which chooses the plain way of operations.
void add_plain_option(CommandLine& line, std::string* plain);

// Chooses the ways that --plain names; an empty text keeps those of PLAINFORMER_PLAIN, or the default ones.
void use_ways(const std::string& plain);

// For after the last line: std::runtime_error if standard input ended because it cannot be read (a folder,
// say).
void check_input();

// Flushes standard output. std::runtime_error if it could not take everything (a full disk, say). Returns 0.
int finish_output();

}  // namespace plainformer
