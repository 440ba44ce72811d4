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

// A line for each student, a column for each exercise and the sum; RFC 4180. What could not be graded is an empty field.
std::string csv_table(const std::vector<GradedSubmission>& submissions);

// The same as Canvas's gradebook imports it: the entry's name is the student's SIS Login ID, and a second row has the
// points of the columns.
std::string canvas_table(const std::vector<GradedSubmission>& submissions);

// The same for Moodle. Of an entry that "Download all submissions" has named (NAME_NUMBER_assignsubmission_file), the
// columns "Identifier" and "Full name" are those of Moodle's grading worksheet; of another one, the name is the "Username".
std::string moodle_table(const std::vector<GradedSubmission>& submissions);

}  // namespace plainformer::course
