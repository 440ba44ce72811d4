// Recognizes known mistakes by their results.
#pragma once

#include <string>
#include <vector>

#include "results.h"

namespace plainformer::course {

struct KnownMistake {
  std::string name = {};        // "attention-no-scale"
  std::string numbers_of = {};  // "scores not divided by sqrt(d_k)"
  std::string read = {};        // where to read about it
  Results results = {};         // of the driver, with the seed of the student's
  std::string problem = {};     // why it could not be tried: the source has changed, say
};

// What a student is told: "Your numbers are exactly those of: ...", and where to read. A mistake is named
// where results that are wrong are its own; the one that explains the most of them comes first, and then
// others for the rest. Of equals, those are named that would have left right what is right. Empty if no
// mistake has such results.
std::string name_mistakes(const Results& found, const Results& right, const std::vector<KnownMistake>& known);

}  // namespace plainformer::course
