#include <algorithm>
#include <map>
#include <mutex>

#include "commands.h"
#include "grading.h"
#include "reference_run.h"
#include "submission.h"
#include "test_grading.h"

namespace plainformer::course {

namespace {

Grade grade_once(const Course& course, const Exercise& exercise, const fs::path& files,
                 const GradingOptions& options) {
  if (exercise.kind == Kind::kFunctions) return grade(course.tools, exercise, files, options);
  const std::string tested_number = std::to_string(exercise.tests_of);
  const Exercise& tested = find_exercise(course.exercises, tested_number, false);
  return grade_tests(course.tools, exercise, tested, files, options);
}

bool is_machine_suspected(const Grade& grade) {
  return std::any_of(grade.problems.begin(), grade.problems.end(),
                     [](const std::string& problem) { return may_be_the_machine(problem); }) ||
         std::any_of(grade.tests.begin(), grade.tests.end(),
                     [](const TestResult& test) { return test.may_be_the_machine; });
}

}  // namespace

// The reference is tried where the machine is suspected. If it fails too, nobody gets 0 points for that; if not, the
// submission has a second try, and the better one counts.
Grade grade_exercise(const Course& course, const Exercise& exercise, const fs::path& files,
                     const GradingOptions& options) {
  Grade first = grade_once(course, exercise, files, options);
  if (!is_machine_suspected(first) || exercise.name.empty()) return first;
  for (const std::string& problem : first.problems)  // the reference would take as long once more
    if (says_busy(problem)) first.machine = problem;
  if (!first.machine.empty()) return first;
  GradingOptions own = options;
  own.work = options.work / "reference-of-machine";
  first.machine = machine_problem(exercise, run_reference(course, exercise, own));
  if (!first.machine.empty()) return first;
  const Grade second = grade_once(course, exercise, files, options);
  return second.score > first.score ? second : first;
}

}  // namespace plainformer::course
