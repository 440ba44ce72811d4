#include "io/output.h"

#include <cstdio>
#include <filesystem>
#include <iostream>

#include "core/input_error.h"
#include "io/atomic_file.h"
#include "platform/platform.h"

namespace plainformer {

void check_input() {
  if (!std::cin.bad() && std::ferror(stdin) == 0) return;
  throw input_error("standard input", "cannot be read to its end", "is it a folder?");
}

void require_writable(const std::string& path) {
  if (path.empty() || path == "-") return;
  const AtomicFile not_committed(path);  // nothing stays of it
}

void require_no_input(const std::string& path, const std::vector<std::string>& inputs) {
  if (path.empty() || path == "-") return;
  for (const std::string& input : inputs) {
    for (const std::string& written : {path, temporary_path_of(path)}) {
      std::error_code error;  // set if one of them does not exist; then they are not the same
      if (!std::filesystem::equivalent(to_path(written), to_path(input), error)) continue;
      throw input_error(path, "would replace " + input + ", which is read", "write to another file");
    }
  }
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
