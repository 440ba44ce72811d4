// A translation that repeats itself: the sign of a model that has lost its way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/real.h"

namespace plainformer {

// The items first, first + 1, ..., first + length - 1 stand `times` times in a row.
struct Repetition {
  Index first = 0, length = 1, times = 1;
};

// Finds the 1 to 4 items that stand most often in a row. Of equally frequent ones it takes the shortest, and then the
// first. {0, 1, 1} if nothing is repeated.
Repetition longest_repetition(const std::vector<std::string>& items);

// A translation runs away if the same 1 to 4 words stand in it at least 4 times in a row, or within one word the same 1
// to 4 pieces at least 12 times, and nothing stands in its source as often in a row: "very very very very good" may say
// "sehr" four times, too. The result counts pieces of the translation.
std::optional<Repetition> runaway_repetition(const std::vector<std::string>& translation,  // pieces
                                             const std::vector<std::string>& source);

}  // namespace plainformer
