// Grades one submission for one exercise.
#pragma once

#include <string>
#include <vector>

#include "driver_runs.h"
#include "submission.h"

namespace plainformer::course {

struct Course {
  Toolchain tools;
  std::vector<Exercise> exercises = {};
  std::vector<Exercise> milestones = {};

  fs::path homework() const { return tools.settings().source_dir / "homework"; }
};

// A row of the exercise's table of points.
struct GradedRow {
  std::string name = {};  // "softmax_forward: y"
  double points = 0, score = 0;
  bool is_right = false;
  std::string message = {};  // how it differs from what is right, or how the process ended
};

struct Grade {
  std::string label = {};  // "03 attention"
  double score = 0, points = 0;
  std::string problem = {};          // why nothing ran: a file that is missing, or does not compile
  bool has_file = true;              // some file of the exercise is there
  std::string warnings = {};         // of the compiler
  std::vector<GradedRow> rows = {};  // in the order of the table
  std::string recognized = {};  // "Your numbers are exactly those of: ..."; empty if no mistake is recognized
  std::string right = {};       // "Right: ..."; empty if nothing is, or all is
  std::string printed = {};     // "It printed: ...", of a program that came to its end with wrong results
  std::string debugger = {};    // the command that starts it on what failed first; empty if nothing was built
};

// A grade before anything ran: no points.
Grade ungraded(const Exercise& exercise);

// Grades functions that a student has written. If the exercise asks for tests, grades these: its rows name
// bugs of another exercise, which is one of the course. The tests must accept that exercise's reference,
// otherwise nothing counts. They reject a bug if a test fails or crashes; tests that take longer than
// exercise.seconds neither accept nor reject.
//   std::runtime_error if this machine cannot grade it: it is too busy
Grade grade_exercise(const Course& course, const Exercise& exercise, const Submission& submission,
                     const GradingOptions& options);

}  // namespace plainformer::course
