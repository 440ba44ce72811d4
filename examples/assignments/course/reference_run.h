// Runs the reference as if a student had handed it in: what it cannot do here, nobody can.
#pragma once

#include <functional>
#include <string>

#include "commands.h"
#include "grading.h"

namespace plainformer::course {

// Grades files for an exercise, functions or tests.
Grade grade_once(const Course& course, const Exercise& exercise, const fs::path& files,
                 const GradingOptions& options);

// Writes the reference's files of an exercise into a folder.
void write_reference(const Course& course, const Exercise& exercise, const fs::path& folder);

// Why this machine cannot grade the exercise: "this machine cannot grade 03 attention: ..."; empty if it can. Of a variant,
// whose answer is not here, its exercise is tried; where tests are written, the file that students begin with.
std::string machine_problem(const Course& course, const Exercise& exercise, const GradingOptions& options);

// The same of a grade that should have all points.
std::string machine_problem_of(const Grade& reference);

}  // namespace plainformer::course
