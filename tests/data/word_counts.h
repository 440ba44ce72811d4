// The words of the fixtures, and the merges that are learned from them as a text.
#pragma once

#include <string>
#include <vector>

#include "data/byte_pair_learner.h"
#include "data/fixtures.h"
#include "data/text.h"

namespace plainformer {

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
