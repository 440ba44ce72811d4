#include "lab/plot/broken_runs.h"

#include <algorithm>
#include <limits>

#include "lab/plot/recorded_json.h"

namespace plainformer {

namespace {

// One run of the file: a bug, a seed, and the operations that were plain.
struct RecordedRun {
  std::string bug, plain;
  int heads, seed;
  double exact_match;
  ValidationLosses losses;
};

RecordedRun read_run(const RecordedJson& file, const JsonValue& run) {
  const RecordedRun recorded = {.bug = file.text(file.member(run, "bug"), "bug"),
                                .plain = file.text(file.member(run, "plain"), "plain"),
                                .heads = static_cast<int>(file.number(file.member(run, "heads"), "heads")),
                                .seed = static_cast<int>(file.number(file.member(run, "seed"), "seed")),
                                .exact_match = file.number(file.member(run, "exact_match"), "exact_match"),
                                .losses = file.numbers(file.member(run, "valid_loss"), "valid_loss")};
  file.require(
      std::ssize(recorded.losses) == kBrokenValidations,
      "valid_loss of " + recorded.bug + " has not " + std::to_string(kBrokenValidations) + " numbers");
  return recorded;
}

// The file has the seeds 1, 2 and 3 of a bug and a way one after the other.
std::vector<BrokenRuns> read_runs(const RecordedJson& file) {
  const JsonArray& runs = file.array(file.member(file.root(), "runs"), "runs");
  file.require(runs.size() % kBrokenSeeds == 0, "a bug lacks a seed");
  std::vector<BrokenRuns> all;
  RecordedRun first;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    RecordedRun run = read_run(file, runs[i]);
    const int seed = static_cast<int>(i % kBrokenSeeds) + 1;
    if (seed == 1) {
      first = run;
      all.push_back({.bug = run.bug, .heads = run.heads, .exact_match = {}, .losses = {}});
    }
    file.require(
        run.bug == first.bug && run.heads == first.heads && run.plain == first.plain && run.seed == seed,
        "the runs of " + first.bug + " do not have the seeds 1 to " + std::to_string(kBrokenSeeds));
    all.back().exact_match.push_back(run.exact_match);
    all.back().losses.push_back(std::move(run.losses));
  }
  return all;
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
};

Range last_losses(const std::vector<BrokenRuns>& all) {
  Range range;
  for (const BrokenRuns& runs : all) {
    for (const ValidationLosses& losses : runs.losses) {
      range.low = std::min(range.low, losses.back());
      range.high = std::max(range.high, losses.back());
    }
  }
  return range;
}

bool are_above_their_seeds(const BrokenRuns& broken, const std::vector<BrokenRuns>& sound) {
  for (const BrokenRuns& runs : sound) {
    for (std::size_t i = 0; i < broken.losses.size(); ++i)
      if (broken.losses[i].back() <= runs.losses[i].back()) return false;
  }
  return true;
}

std::vector<BrokenRuns>& group_of(const BrokenRuns& runs, BreakIt& groups) {
  const std::vector<BrokenRuns> sound = groups.sound_with(runs.heads);
  const Range broken = last_losses({runs}), range = last_losses(sound);
  if (broken.high < range.low) return groups.lower;
  if (broken.low > range.high) return groups.higher;
  return are_above_their_seeds(runs, sound) ? groups.slightly_higher : groups.unseen;
}

}  // namespace

std::vector<BrokenRuns> BreakIt::sound_with(int heads) const {
  std::vector<BrokenRuns> with;
  std::copy_if(sound.begin(), sound.end(), std::back_inserter(with),
               [&](const BrokenRuns& runs) { return runs.heads == heads; });
  return with;
}

BreakIt read_break_it(const std::string& file) {
  const RecordedJson json(file);
  BreakIt groups;
  std::vector<BrokenRuns> broken;
  for (BrokenRuns& runs : read_runs(json))
    (runs.bug == "sound" ? groups.sound : broken).push_back(std::move(runs));
  for (BrokenRuns& runs : broken) {
    json.require(!groups.sound_with(runs.heads).empty(),
                 "has no sound runs with as many heads as those of " + runs.bug);
    group_of(runs, groups).push_back(std::move(runs));
  }
  return groups;
}

}  // namespace plainformer
