// Grades as text for people and as files for other programs.
#pragma once

#include <string>
#include <vector>

#include "grading.h"

namespace plainformer::course {

// For a terminal: each row that is wrong, with its message; the mistake, if one was recognized; the sum.
//   every_message   show the message of every row that is wrong, not only of the first ones
std::string terminal_report(const Grade& grade, bool color, bool every_message);

// Gradescope's results.json. (https://gradescope-autograders.readthedocs.io/en/latest/specs/)
//   secret   the rows are hidden until the due date (visibility "after_due_date"): for variants
std::string gradescope_report(const std::vector<Grade>& grades, bool secret);

struct GradedSubmission {
  std::string student = {}, id = {};
  std::vector<Grade> grades = {};
  std::string why = {};  // why it has no grades at all: an archive, a folder that cannot be read
};

// Why a field of its row is empty or has less than all points, in one line; empty if it has all.
std::string why_of(const GradedSubmission& submission);

// A line for each student; RFC 4180, with a mark for spreadsheets. What could not be graded is an empty
// field.
//   system   "canvas": as its gradebook imports it, by the ID or the login. "moodle": by the identifier of
//            its grading worksheet, or the username. Otherwise: the sum and `why` behind the exercises
std::string table_of(const std::vector<GradedSubmission>& submissions, const std::string& system);

}  // namespace plainformer::course
