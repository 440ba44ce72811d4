// What commands read from standard input and write, to standard output or to a file.
#pragma once

#include <string>
#include <vector>

namespace plainformer {

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

// Flushes standard output. std::runtime_error if not everything could be written (the disk may be full).
// Returns 0.
int finish_output();

}  // namespace plainformer
