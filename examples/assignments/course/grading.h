// Grades one submission for one exercise.
#pragma once

#include <string>
#include <vector>

#include "recognition.h"
#include "toolchain.h"

namespace plainformer::course {

enum class Status {
  kPassed,
  kFailed,
  kNotCounted,  // passed, but the gate failed
};

struct TestResult {
  std::string name = {};
  double points = 0, score = 0;
  Status status = Status::kFailed;
  std::string message = {};  // the expected and the found values, or how the process ended
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
  std::vector<TestResult> tests = {};  // every scored test, in the order of the exercise
  std::string recognized = {};  // "Your numbers are exactly those of: ..."; empty if no bug is recognized
  std::string right = {};       // "Right, whatever the rest does: ..."; empty if nothing may be called right
  Kind kind = Kind::kFunctions;
  std::string debugger = {};  // the command that starts it on the tests; empty if they were not built
  double seconds = 0;
  std::string machine =
      {};  // why this machine cannot grade it; then no points are given, and none are missing
};

struct GradingOptions {
  fs::path work = {};         // the folder for objects and programs
  unsigned seed = 1;          // of variants
  int jobs = 2;               // tests at the same time
  bool recognize = true;      // compare with the known bugs if a test fails
  long memory_mb = 1024;      // of a test
  double seconds_factor = 1;  // times the exercise's limits of time: more on a slow machine
  unsigned disguise =
      0;  // of the versions that a student's tests are tried on: how they are compiled; 0: plainly
  std::vector<std::string> environment = {};  // more variables for the programs: "NAME=value"
};

// The numbers that the exercise's probe prints with these objects in the place of the reference's.
ProbeLines run_probe(const Toolchain& tools, const Exercise& exercise, const std::vector<fs::path>& objects,
                     const GradingOptions& options);

// The same of a program that is linked. If it ends too early, each stage runs by itself.
ProbeLines probe_lines_of(const Toolchain& tools, const Exercise& exercise, const fs::path& program,
                          const GradingOptions& options);

// files: a student's folder, or a single file. Only the files that the exercise names are read.
Grade grade(const Toolchain& tools, const Exercise& exercise, const fs::path& files,
            const GradingOptions& options);

}  // namespace plainformer::course
