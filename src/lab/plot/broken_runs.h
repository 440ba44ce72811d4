// Recorded training runs of the toy with bugs on purpose (docs/pictures/break-it.json). docs/break-it.md says how they
// were made.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace plainformer {

inline constexpr int kBrokenSeeds = 3, kBrokenValidations = 8, kBrokenValidateEvery = 100;

using ValidationLosses = std::vector<double>;  // after 100, 200, ..., 800 steps

// The runs of one bug, or of the sound program, by seed.
struct BrokenRuns {
  std::string bug;  // "sound", or as `course run --bug` names it
  int heads = 0;
  std::vector<double> exact_match;  // percent of the held-out sentences
  std::vector<ValidationLosses> losses;
};

// The bugs, in groups by their last losses.
struct BreakIt {
  std::vector<BrokenRuns> sound;            // for each number of heads, in several ways of computing
  std::vector<BrokenRuns> lower;            // each run ends below all sound runs with as many heads
  std::vector<BrokenRuns> higher;           // each run ends above all of them
  std::vector<BrokenRuns> slightly_higher;  // each run ends above the sound runs of its seed, not above all
  std::vector<BrokenRuns> unseen;           // all others

  std::vector<BrokenRuns> sound_with(int heads) const;
};

// Reads the file, and sorts its bugs into the groups. std::runtime_error that names the file, if it lacks runs of the
// sound program with as many heads as a bug has, or a number.
BreakIt read_break_it(const std::string& file);

}  // namespace plainformer
