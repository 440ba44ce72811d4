#include "reference_run.h"

#include <algorithm>

#include "io/atomic_file.h"
#include "submission.h"
#include "test_grading.h"
#include "text.h"

namespace plainformer::course {

namespace {

bool is_machine_suspected(const Grade& grade) {
  return std::any_of(grade.problems.begin(), grade.problems.end(),
                     [](const std::string& problem) { return may_be_the_machine(problem); }) ||
         std::any_of(grade.tests.begin(), grade.tests.end(),
                     [](const TestResult& test) { return test.may_be_the_machine; });
}

}  // namespace

Grade grade_once(const Course& course, const Exercise& exercise, const fs::path& files,
                 const GradingOptions& options) {
  if (exercise.kind == Kind::kFunctions) return grade(course.tools, exercise, files, options);
  const std::string tested_number = std::to_string(exercise.tests_of);
  return grade_tests(course.tools, exercise, find_exercise(course.exercises, tested_number, false), files,
                     options);
}

void write_reference(const Course& course, const Exercise& exercise, const fs::path& folder) {
  fs::create_directories(folder);
  for (const Source& source : exercise.sources)
    write_file_atomically(text_of(folder / source.file_name()), reference_text(course, source.file));
}

std::string machine_problem_of(const Grade& reference) {
  std::string problem;
  for (const std::string& text : reference.problems) {
    if (says_busy(text)) return "this machine is busy, so it cannot grade " + reference.label + ": " + text;
    problem += text + "\n";
  }
  for (const TestResult& test : reference.tests)
    if (test.status == Status::kFailed)
      problem += test.name + " fails for the reference: " + test.message + "\n";
  if (problem.empty()) return "";
  return "this machine cannot grade " + reference.label +
         ": the library's own answer does not get all points here:\n" + problem +
         "`course health` says what to mend";
}

std::string machine_problem(const Course& course, const Exercise& exercise, const GradingOptions& options) {
  GradingOptions own = options;
  own.recognize = false;
  if (exercise.kind == Kind::kTests) {
    Grade grade = grade_once(course, exercise, exercise.folder / "start", own);
    if (!grade.tests.empty())
      grade.tests.resize(1);  // it accepts the reference, and need not reject anything
    return machine_problem_of(grade);
  }
  const Exercise& of_reference =
      exercise.variant.empty() ? exercise : find_exercise(course.exercises, exercise.name, false);
  write_reference(course, of_reference, own.work / "reference");
  return machine_problem_of(grade_once(course, of_reference, own.work / "reference", own));
}

Grade grade_with_machine_in_doubt(const std::function<Grade()>& once,
                                  const std::function<std::string()>& of_machine) {
  Grade first = once();
  if (!is_machine_suspected(first)) return first;
  for (const std::string& problem : first.problems)  // the reference would take as long once more
    if (says_busy(problem)) first.machine = problem;
  if (first.machine.empty()) first.machine = of_machine();
  if (!first.machine.empty()) return first;
  const Grade second = once();
  return second.score > first.score ? second : first;
}

Grade grade_exercise(const Course& course, const Exercise& exercise, const fs::path& files,
                     const GradingOptions& options) {
  const auto once = [&] { return grade_once(course, exercise, files, options); };
  if (exercise.name.empty()) return once();
  return grade_with_machine_in_doubt(once, [&] {
    GradingOptions own = options;
    own.work = options.work / "reference-of-machine";
    return machine_problem(course, exercise, own);
  });
}

}  // namespace plainformer::course
