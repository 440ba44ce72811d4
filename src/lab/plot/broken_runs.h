// Training runs of the toy with bugs on purpose: the runs of docs/pictures/break-it.json. docs/break-it.md
// says how they were made.
#pragma once

#include <array>
#include <span>
#include <string>

namespace plainformer {

inline constexpr int kBrokenSeeds = 3, kBrokenValidations = 8, kBrokenValidateEvery = 100;

using ValidationLosses = std::array<double, kBrokenValidations>;  // after 100, 200, ..., 800 steps

// The runs of one bug, or of the sound program, by seed.
struct BrokenRuns {
  std::string bug;                               // as `course run --bug` names it
  int heads;                                     // 4, or 1
  std::array<double, kBrokenSeeds> exact_match;  // percent of the held-out sentences
  std::array<ValidationLosses, kBrokenSeeds> losses;
};

// The bugs by their last loss.
std::span<const BrokenRuns> lower_runs();            // each run ends below all sound runs
std::span<const BrokenRuns> higher_runs();           // each run ends above all sound runs
std::span<const BrokenRuns> slightly_higher_runs();  // above those of its seed only
std::span<const BrokenRuns> unseen_runs();           // all others

// The sound program with this many heads, in each of the ways that the bugs took.
std::span<const BrokenRuns> sound_runs(int heads);

}  // namespace plainformer
