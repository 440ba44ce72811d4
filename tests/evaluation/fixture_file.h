// The files of tests/evaluation/fixtures/.
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace plainformer {

// The lines of a fixture, without the one that says which script made it.
inline std::vector<std::string> read_fixture(const std::string& name) {
  const std::string path = PLAINFORMER_SOURCE_DIR "/tests/evaluation/fixtures/" + name;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("# made by", 0) != 0) lines.push_back(line);
  }
  return lines;
}

}  // namespace plainformer
