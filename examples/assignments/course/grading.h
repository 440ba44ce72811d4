// Grades one submission for one exercise.
#pragma once

#include <string>
#include <vector>

#include "driver_runs.h"
#include "submission.h"

namespace plainformer::course {

// A row of the exercise's table of points.
struct GradedRow {
  std::string name = {};  // "softmax_forward: y"
  double points = 0, score = 0;
  bool is_right = false;
  std::string message = {};  // how it differs from what is right, or how the process ended
};

struct Grade {
  std::string label = {};   // "03 attention"
  std::string number = {};  // "03"
  double score = 0, points = 0;
  std::vector<std::string> problems = {};  // why nothing ran: a file that is missing, or does not compile
  bool has_file = true;                    // some file of the exercise is there
  std::string warnings = {};               // of the compiler
  std::vector<GradedRow> rows = {};        // in the order of the table
  std::string recognized = {};  // "Your numbers are exactly those of: ..."; empty if no mistake is recognized
  std::string right = {};       // "Right: ..."; empty if nothing is, or all is
  std::string debugger = {};    // the command that starts it on what failed first; empty if nothing was built
  double seconds = 0;
  std::string machine =
      {};  // why this machine cannot grade it; then no points are given, and none are missing
};

// A grade before anything ran: no points.
Grade ungraded(const Exercise& exercise);

// Grades functions that a student has written.
Grade grade_functions(const Toolchain& tools, const Exercise& exercise, const Submission& submission,
                      const GradingOptions& options);

// Grades tests that a student has written for the functions of another exercise, `tested`. The rows name bugs
// of it. The tests must accept the reference, otherwise nothing counts. They reject a bug if a test fails or
// crashes; tests that take longer than exercise.seconds neither accept nor reject.
Grade grade_tests(const Toolchain& tools, const Exercise& exercise, const Exercise& tested,
                  const Submission& submission, const GradingOptions& options);

// "ASAN_OPTIONS=... gdb -q -x .debugger/plainformer_gdb.py --args build/course/check/01-softmax/driver", from
// the folder we are in.
std::string debugger_command(const Toolchain& tools, const fs::path& program);

// A word as a shell reads it: between quotes if it holds a space, a * or the like.
std::string shell_word(const std::string& word);

}  // namespace plainformer::course
