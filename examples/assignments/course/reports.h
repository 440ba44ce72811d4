// Grades as text for people and as files for other programs.
#pragma once

#include <string>
#include <vector>

#include "grading.h"

namespace plainformer::course {

// For a terminal: each test that failed, with its message; the bug, if one was recognized; the sum.
//   every_message   show the message of every test that failed, not only of the first ones
std::string terminal_report(const Grade& grade, bool color, bool every_message);

// Gradescope's results.json. (https://gradescope-autograders.readthedocs.io/en/latest/specs/)
//   secret   the tests are hidden until the due date (visibility "after_due_date"): for variants
std::string gradescope_report(const std::vector<Grade>& grades, bool secret);

// JUnit's XML: a test suite for each exercise.
std::string junit_report(const std::vector<Grade>& grades);

struct GradedSubmission {
  std::string student = {};
  std::vector<Grade> grades = {};
  std::string error = {};  // why an exercise cannot be graded: the grader's trouble, not a wrong answer
};

// A line for each student, a column for each exercise and the sum; RFC 4180.
std::string csv_table(const std::vector<GradedSubmission>& submissions);

}  // namespace plainformer::course
