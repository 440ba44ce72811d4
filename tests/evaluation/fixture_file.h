// The files of tests/evaluation/fixtures/.
#pragma once

#include <string>
#include <vector>

#include "data/text.h"

namespace plainformer {

// The lines of a fixture, without the one that says which script made it.
inline std::vector<std::string> read_fixture(const std::string& name) {
  std::vector<std::string> lines = read_lines(PLAINFORMER_SOURCE_DIR "/tests/evaluation/fixtures/" + name);
  std::erase_if(lines, [](const std::string& line) { return line.starts_with("# made by"); });
  return lines;
}

}  // namespace plainformer
