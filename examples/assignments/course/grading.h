// Grades one submission for one exercise.
#pragma once

#include <string>
#include <vector>

#include "toolchain.h"

namespace plainformer::course {

enum class Status {
  kPassed,
  kFailed,
  kNotCounted,  // passed, but the gate failed
};

// A row of the exercise's table of points: a result of its driver, or a test.
struct TestResult {
  std::string name = {};  // "softmax_forward: y"
  double points = 0, score = 0;
  Status status = Status::kFailed;
  std::string message = {};  // how it differs from what is right, or how the process ended
  bool is_gate = false, timed_out = false;
  bool was_tried = true;            // false: not run, because the gate failed
  bool may_be_the_machine = false;  // it ended as a program does that this machine cannot run
};

struct Grade {
  std::string label = {};  // "03 attention"
  int number = 0;
  double score = 0, points = 0;
  std::vector<std::string> problems =
      {};                              // why nothing ran: a file that is missing, does not compile, or cheats
  std::string warnings = {};           // of the compiler
  std::vector<TestResult> tests = {};  // every row of the table, in its order
  std::string recognized = {};  // "Your numbers are exactly those of: ..."; empty if no mistake is recognized
  std::string right = {};       // "Right: ..."; empty if nothing is, or all is
  std::string debugger = {};    // the command that starts it on what failed first; empty if nothing was built
  double seconds = 0;
  std::string machine =
      {};  // why this machine cannot grade it; then no points are given, and none are missing
};

struct GradingOptions {
  fs::path work = {};         // the folder for objects and programs
  unsigned seed = 1;          // of the inputs that a driver or a variant draws
  int jobs = 2;               // processes at the same time
  bool recognize = true;      // compare with the known mistakes if something is wrong
  long memory_mb = 1024;      // of a test
  double seconds_factor = 1;  // times the exercise's limits of time: more on a slow machine
  unsigned disguise =
      0;  // of the versions that a student's tests are tried on: how they are compiled; 0: plainly
};

// Grades functions that a student has written.
//   files   a student's folder, or a single file. Only the files that the exercise names are read
Grade grade(const Toolchain& tools, const Exercise& exercise, const fs::path& files,
            const GradingOptions& options);

}  // namespace plainformer::course
