// What the tests of this room share.
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "support/thrown_message.h"

namespace plainformer {

// The message of the error about a user's file that `run` throws; "" if it throws none.
template <typename Function>
std::string error_message(Function&& run) {
  return thrown_message<std::runtime_error>(run);
}

inline std::string fixture(const std::string& name) {
  return std::string(PLAINFORMER_SOURCE_DIR) + "/tests/data/fixtures/" + name;
}

inline std::string fixture_text(const std::string& name) {
  std::ifstream file(fixture(name), std::ios::binary);
  if (!file) throw std::logic_error("no fixture " + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace plainformer
