#include "test_grading.h"

#include <algorithm>
#include <chrono>

#include "core/input_error.h"
#include "driver.h"
#include "submission.h"
#include "test_message.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr int kRunsOfReference = 2;  // of each build: tests that fail by chance should do so here

// How the compiler disguises a version: other machine code, of other lengths, at other addresses, for the same numbers.
// So a test that knows the code of the reference, and not what it computes, rejects it.    number: 0 is no disguise
std::vector<std::string> disguise(unsigned number) {
  if (number == 0) return {};
  constexpr const char *kLevels[] = {"-Og", "-O1", "-O2"}, *kAlignments[] = {"16", "32", "64", "128"};
  std::vector<std::string> flags = {kLevels[number % 3],
                                    std::string("-falign-functions=") + kAlignments[number / 3 % 4]};
  flags.push_back(number / 12 % 2 == 0 ? "-fomit-frame-pointer" : "-fno-omit-frame-pointer");
  if (number / 24 % 2 == 1) flags.push_back("-fstack-protector-all");
  return flags;
}

// The objects of the tested functions, with a bug or (null) without one.
std::vector<fs::path> tested_objects(const Toolchain& tools, const Exercise& tested, const Bug* bug,
                                     unsigned disguised = 0) {
  if (!bug) return kept_objects_of(tools, tested, nullptr, disguise(disguised));
  const Mistake mistake = {.name = bug->name, .bug = bug};
  return kept_objects_of(tools, tested, &mistake, disguise(disguised));
}

const Bug& bug_named(const Exercise& tested, const std::string& name, const Exercise& exercise) {
  const auto bug = std::find_if(tested.bugs.begin(), tested.bugs.end(),
                                [&](const Bug& candidate) { return candidate.name == name; });
  if (bug != tested.bugs.end()) return *bug;
  throw input_error(text_of(exercise.folder / "exercise.json"),
                    "\"" + name + "\" is not a bug of exercise " + tested.label(),
                    "name the bugs as its bugs.json does");
}

bool has_no_test(const ProcessResult& run) {
  return run.output.find("Running 0 tests") != std::string::npos;
}

const std::string kPlain = "reference", kDisguised = "reference-again";  // programs

class TestsOfStudent {
 public:
  TestsOfStudent(const Toolchain& tools, const Exercise& exercise, const Exercise& tested,
                 const GradingOptions& options)
      : tools_(tools), exercise_(exercise), tested_(tested), options_(options) {}

  // Compiles them.    The problems
  std::vector<std::string> compile(const fs::path& files) const {
    const fs::path file = fs::is_directory(files) ? files / exercise_.tests.front().file : files;
    const std::string problem = compile_file(tools_, exercise_, file, object());
    if (!problem.empty()) return {problem};
    return {};
  }

  // The problem; empty if there is none.
  std::string link(const std::string& name, const Bug* bug, unsigned disguised) const {
    const fs::path support = tools_.settings().course_dir() / "support";
    const ProcessResult linked =
        tools_.link(exercise_, {object(), tools_.kept_object(tested_, support / "test_main.cpp")},
                    tested_objects(tools_, tested_, bug, disguised), program(name));
    return link_problem(linked);
  }

  TestResult accept_reference() const {
    TestResult result = {.name = "accepts the reference", .message = {}, .is_gate = true};
    for (const std::string& build : {kPlain, kDisguised}) {
      if (build == kDisguised) {
        if (options_.disguise == 0) continue;
        result.message = link(build, nullptr, options_.disguise);
        result.may_be_the_machine = may_be_the_machine(result.message);
        if (!result.message.empty()) return result;
      }
      for (int i = 0; i < kRunsOfReference; ++i) {
        const TestRun run = run_tests(tools_, exercise_, program(build), "*", options_);
        if (run.passed) continue;
        const std::string test = failed_test_of(run.process);
        result.message = has_no_test(run.process) ? "there is no test"
                                                  : (test.empty() ? "" : test + " does not pass:\n") +
                                                        failure_message(run.process);
        if (build == kDisguised)
          result.message = "compiled in another way, the same functions are rejected: " + result.message;
        result.may_be_the_machine = may_be_the_machine(run.process);
        return result;
      }
    }
    result.status = Status::kPassed;
    return result;
  }

  TestResult reject(const ScoredTest& scored) const {
    TestResult result = {.name = "rejects " + scored.name, .points = scored.points, .message = {}};
    const Bug& bug = bug_named(tested_, scored.name, exercise_);
    result.message = link(bug.name, &bug, options_.disguise);
    result.may_be_the_machine = may_be_the_machine(result.message);
    if (!result.message.empty()) return result;
    const TestRun run = run_tests(tools_, exercise_, program(bug.name), "*", options_);
    if (run.process.timed_out) {
      result.message = "they were " + run.process.ending() + ", which rejects nothing";
      result.may_be_the_machine = may_be_the_machine(run.process);
    } else if (run.process.succeeded()) {
      result.message = "they accept " + bug.numbers_of;
    } else {
      result.status = Status::kPassed;
      result.score = scored.points;
    }
    return result;
  }

  fs::path program(const std::string& name) const { return options_.work / program_name(name); }

 private:
  fs::path object() const { return options_.work / (exercise_.tests.front().file + ".o"); }

  const Toolchain& tools_;
  const Exercise& exercise_;
  const Exercise& tested_;
  const GradingOptions& options_;
};

}  // namespace

void prepare_tested(const Toolchain& tools, const Exercise& exercise, const Exercise& tested, int jobs) {
  tested_objects(tools, tested, nullptr);
  in_parallel(exercise.tests.size(), jobs, [&](std::size_t i) {
    tested_objects(tools, tested, &bug_named(tested, exercise.tests[i].name, exercise));
  });
}

Grade grade_tests(const Toolchain& tools, const Exercise& exercise, const Exercise& tested,
                  const fs::path& files, const GradingOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  Grade grade = {.label = exercise.label(), .number = exercise.number, .points = exercise.points()};
  grade.tests.push_back({.name = "accepts the reference", .message = {}, .is_gate = true});
  for (const ScoredTest& test : exercise.tests)
    grade.tests.push_back({.name = "rejects " + test.name, .points = test.points, .message = {}});

  // Step 1. Compile the tests, and link them with the reference.
  fs::create_directories(options.work);
  const TestsOfStudent tests(tools, exercise, tested, options);
  grade.problems = tests.compile(files);
  if (grade.problems.empty()) {
    const std::string problem = tests.link(kPlain, nullptr, 0);
    if (!problem.empty()) grade.problems.push_back(problem);
  }

  // Step 2. Try them on the reference, then on each bug.
  if (grade.problems.empty()) {
    grade.debugger = debugger_command(tools, tests.program(kPlain)) +
                     " --gtest_break_on_failure --gtest_catch_exceptions=0";
    grade.tests[0] = tests.accept_reference();
    const bool accepted = grade.tests[0].status == Status::kPassed;
    in_parallel(exercise.tests.size(), options.jobs, [&](std::size_t i) {
      TestResult& result = grade.tests[i + 1];
      result.was_tried = accepted;
      if (accepted)
        result = tests.reject(exercise.tests[i]);
      else
        result.message = "not tried, because the tests do not accept the reference";
    });
    for (const TestResult& test : grade.tests) grade.score += test.score;
  }
  grade.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return grade;
}

}  // namespace plainformer::course
