// What the tests of this room share.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include "support/thrown_message.h"

namespace plainformer {

inline std::string fixture(const std::string& name) {
  return std::string(PLAINFORMER_SOURCE_DIR) + "/tests/data/fixtures/" + name;
}

inline std::string fixture_text(const std::string& name) {
  std::ifstream file(fixture(name), std::ios::binary);
  if (!file) throw std::logic_error("no fixture " + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace plainformer
