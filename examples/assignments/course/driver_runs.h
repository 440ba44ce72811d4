// Runs the driver of an exercise: with a student's files, with the reference, and with known mistakes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "results.h"
#include "toolchain.h"

namespace plainformer::course {

// The largest seed that support/seed.h takes, or an Index holds.
inline constexpr Index kMostSeed =
    static_cast<Index>(std::min<std::int64_t>(4'294'967'295, std::numeric_limits<Index>::max()));

struct GradingOptions {
  fs::path work = {};         // the folder for objects and programs
  Index seed = 1;             // of the inputs that a driver draws
  int jobs = 1;               // processes at the same time
  double seconds_factor = 1;  // times the exercise's limit of time: more on a slow machine
};

// Runs a program of the student's code, within the exercise's limits.    std::runtime_error if it had to wait
ProcessResult run_limited(const Toolchain& tools, const Exercise& exercise, const Flags& command,
                          const GradingOptions& options);

struct DriverRun {
  Results results = {};
  std::map<std::string, ProcessResult> unfinished = {};  // how a stage ended that did not come to its end
  std::string output = {};                               // of a run that came to its end
};

// Runs a driver's program. If it does not come to its end, each stage runs in a process of its own.
//   right   of the reference: it names the stages
DriverRun run_driver(const Toolchain& tools, const Exercise& exercise, const fs::path& program,
                     const Results& right, const GradingOptions& options);

// What is right with the seed of these options: the exercise's driver, linked with the whole library. Where
// the library has no answer, the driver has one of its own: what it holds under COURSE_ORACLE is compiled
// here alone.
//   std::runtime_error if it does not come to its end: then this machine cannot grade
const Results& right_results(const Toolchain& tools, const Exercise& exercise, const GradingOptions& options);

// What each known mistake shows with that seed.
const std::vector<KnownMistake>& known_mistakes(const Toolchain& tools, const Exercise& exercise,
                                                const Results& right, const GradingOptions& options);

// The objects of the exercise's sources, with a mistake or (null) without one: compiled once and kept.
//   more           flags of the compiler
//   header_flags   if not null: gets the flags by which a compiler finds a header that has the mistake
std::vector<fs::path> kept_objects_of(const Toolchain& tools, const Exercise& exercise, const Bug* mistake,
                                      const Flags& more = {}, Flags* header_flags = nullptr);

// The first lines of the output that are the student's own: "It printed:", and they.
std::string printed(const std::string& output);

// From the output of a driver's process: what the sanitizers found, with the line of the student's file; what
// it printed; how it ended. From that of a student's tests: GoogleTest's first failure.
std::string failure_message(const ProcessResult& result);

}  // namespace plainformer::course
