#include "app/command_support.h"

#include <cstdio>
#include <iostream>

#include "core/input_error.h"
#include "core/thread_pool.h"
#include "io/atomic_file.h"
#include "ops/ways.h"

namespace plainformer {

void use_threads(Index count) {
  if (count < 0 || count > 1024) {
    throw input_error("--threads", std::to_string(count) + " is out of range",
                      "choose 1 to 1024, or 0 for the default");
  }
  if (count > 0) set_threads(static_cast<int>(count));
}

void add_plain_option(CommandLine& line, std::string* plain) {
  line.optional_value(
      "--plain", "NAMES", plain, "all",
      "compute the plain way, the one to read; or only the operations named, as attention,linear");
}

void use_ways(const std::string& plain) {
  if (!plain.empty()) ways = plain_ways(plain, "--plain");
}

void check_input() {
  if (!std::cin.bad() && std::ferror(stdin) == 0) return;
  throw input_error("standard input", "cannot be read to its end", "is it a folder?");
}

void write_output(const std::string& path, const std::string& text) {
  if (path == "-")
    std::cout << text;
  else
    write_file_atomically(path, text);
}

int finish_output() {
  std::cout.flush();
  if (!std::cout)
    throw input_error("standard output", "not everything could be written", "is the disk full?");
  return 0;
}

}  // namespace plainformer
