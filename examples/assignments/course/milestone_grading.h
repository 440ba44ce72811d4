// Runs a student's files of many exercises in one program, behind the guards of the exercises.
#pragma once

#include <string>
#include <vector>

#include "commands.h"
#include "grading.h"
#include "milestone.h"

namespace plainformer::course {

// A student's files of some exercises, compiled in float and for speed, and looked at before they run: their text, the
// compiler's limits, the symbols of each object.
struct GuardedObjects {
  std::vector<fs::path> objects;
  std::vector<std::string> problems;  // "03 attention: scaled_dot_product_attention.cpp is missing in ..."
};
GuardedObjects guarded_objects(const Course& course, const std::vector<const Exercise*>& exercises,
                               const fs::path& submission, const GradingOptions& options);

// Grades milestone 3: the toy is trained by the submission's files, in a process with the limits of a test. The verdict goes
// through its pipe. All points, or none.
Grade grade_milestone(const Course& course, const fs::path& submission, const GradingOptions& options);

// The grade of a milestone that nobody has run yet: no points.
Grade ungraded_milestone();

// Why this machine cannot grade milestone 3; empty if it can. It trains the toy with the library's own answers.
std::string machine_problem_of_milestone(const Course& course, const GradingOptions& options);

}  // namespace plainformer::course
