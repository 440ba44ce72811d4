// What the tests of this room share.
#pragma once

#include <string>
#include <vector>

#include "data/byte_pair_learner.h"
#include "data/text.h"
#include "support/thrown_message.h"

namespace plainformer {

inline std::string fixture(const std::string& name) {
  return std::string(PLAINFORMER_SOURCE_DIR) + "/tests/data/fixtures/" + name;
}

inline std::string fixture_text(const std::string& name) {
  return read_text_file(fixture(name), UINTMAX_MAX);
}

using Merges = std::vector<Merge>;

inline WordCounts words_of(const std::vector<std::string>& fixtures) {
  WordCounts counts;
  for (const std::string& name : fixtures)
    for (const std::string& line : read_lines(fixture(name))) count_words(line, counts);
  return counts;
}

// "l o\nlo w</w>\n", as in a codes file.
inline std::string text_of(const Merges& merges) {
  std::string text;
  for (const auto& [first, second] : merges) text += first + " " + second + "\n";
  return text;
}

}  // namespace plainformer
