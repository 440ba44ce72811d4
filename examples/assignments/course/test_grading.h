// Grades a student's tests: they must accept the reference and reject its known bugs.
#pragma once

#include "grading.h"

namespace plainformer::course {

// exercise.tests names bugs of `tested`, and the student's file. The tests accept the reference if each of
// several runs of all of them passes; otherwise nothing counts. They reject a bug if a test fails or crashes.
// Tests that take longer than exercise.seconds neither accept nor reject.
//   files   a student's folder, or the file
Grade grade_tests(const Toolchain& tools, const Exercise& exercise, const Exercise& tested,
                  const fs::path& files, const GradingOptions& options);

// Compiles the tested functions with each of these bugs, so that the first grading is quick.
void prepare_tested(const Toolchain& tools, const Exercise& exercise, const Exercise& tested, int jobs);

}  // namespace plainformer::course
