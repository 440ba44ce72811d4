#include "grading.h"

#include <algorithm>
#include <chrono>

#include "driver.h"
#include "io/atomic_file.h"
#include "submission.h"
#include "test_message.h"
#include "text.h"

namespace plainformer::course {

namespace {

// The student's file for a source of the exercise: in their folder, or the only file that there is.
fs::path student_file(const Exercise& exercise, const Source& source, const fs::path& files) {
  if (exercise.sources.size() == 1 && !fs::is_directory(files)) return files;
  return files / source.file_name();
}

// Grades one submission, step by step.
class Grading {
 public:
  Grading(const Toolchain& tools, const Exercise& exercise, const GradingOptions& options)
      : tools_(tools), exercise_(exercise), options_(options) {
    grade_ = {.label = exercise.label(), .number = exercise.number, .points = exercise.points()};
    for (const ScoredResult& result : exercise.results)
      grade_.tests.push_back({.name = result.name, .points = result.points});
    for (const ScoredTest& test : exercise.tests)
      grade_.tests.push_back(
          {.name = test.name, .points = test.points, .is_gate = test.name == exercise.gate});
  }

  Grade run(const fs::path& files) {
    // Step 1. Compile the student's files.
    fs::create_directories(options_.work);
    compile(files);

    // Step 2. Run the driver with them, and compare what it shows with what the reference shows.
    if (grade_.problems.empty() && !exercise_.results.empty()) compare_results();

    // Step 3. Where the exercise has tests, run each in a process of its own.
    if (grade_.problems.empty() && !exercise_.tests.empty()) run_tests_of_exercise();
    const bool has_driver = exercise_.variant.empty() && fs::exists(exercise_.folder / "driver.cpp");
    if (grade_.problems.empty() && exercise_.results.empty() && has_driver && failed_row())
      compare_results();  // gives no points, but names mistakes

    // Step 4. Add up the points.
    if (!grade_.problems.empty()) return grade_;
    for (const TestResult& test : grade_.tests) grade_.score += test.score;
    return grade_;
  }

 private:
  const TestResult* failed_row() const {
    const auto failed = std::find_if(grade_.tests.begin(), grade_.tests.end(),
                                     [](const TestResult& test) { return test.status == Status::kFailed; });
    return failed == grade_.tests.end() ? nullptr : &*failed;
  }

  void compile(const fs::path& files) {
    std::vector<std::string> problems(exercise_.sources.size()), warnings(problems.size());
    for (std::size_t i = 0; i < problems.size(); ++i)
      if (exercise_.sources[i].is_header()) problems[i] = take_header(exercise_.sources[i], files);
    in_parallel(problems.size(), options_.jobs, [&](std::size_t i) {
      const Source& source = exercise_.sources[i];
      if (source.is_header()) return;
      problems[i] = compile_file(tools_, exercise_, student_file(exercise_, source, files), object_of(source),
                                 include_flags_, &warnings[i]);
    });
    for (const Source& source : exercise_.sources)
      if (!source.is_header()) objects_.push_back(object_of(source));
    for (const std::string& problem : problems)
      if (!problem.empty()) grade_.problems.push_back(problem);
    for (const std::string& warning : warnings) grade_.warnings += warning;
  }

  fs::path object_of(const Source& source) const { return options_.work / (source.file_name() + ".o"); }

  // Puts a student's header where the compiler finds it before the library's.    The problem
  std::string take_header(const Source& source, const fs::path& files) {
    const fs::path file = student_file(exercise_, source, files), include = options_.work / "include";
    const std::string problem = problem_of_file(tools_, exercise_, file);
    if (!problem.empty()) return problem;
    fs::create_directories((include / source.file).parent_path());
    write_file_atomically(text_of(include / source.file), read_text(file));
    include_flags_ = {"-iquote", text_of(include)};
    return "";
  }

  // The driver or the tests, compiled with the student's header if there is one: its errors are theirs.
  using Objects = std::vector<fs::path> (Toolchain::*)(const Exercise&,
                                                       const std::vector<std::string>&) const;
  std::vector<fs::path> compiled(Objects objects) {
    try {
      return (tools_.*objects)(exercise_, include_flags_);
    } catch (const std::runtime_error& error) {
      if (include_flags_.empty()) throw;
      grade_.problems.push_back(std::string(error.what()).substr(0, kMostCompilerBytes));
      return {};
    }
  }

  // False if that fails; the problem is noted.
  bool link(const std::vector<fs::path>& others, const fs::path& program) {
    if (others.empty()) return false;
    const std::string problem = link_problem(tools_.link(exercise_, objects_, others, program));
    if (!problem.empty()) grade_.problems.push_back(problem);
    return problem.empty();
  }

  // --- results of the driver ---

  void compare_results() {
    const Results right = right_results(tools_, exercise_, options_);
    const fs::path program = options_.work / program_name("driver");
    if (!link(compiled(&Toolchain::driver_objects), program)) return;
    const DriverRun run = run_driver(tools_, exercise_, program, right, options_);
    for (std::size_t i = 0; i < exercise_.results.size(); ++i) compare(run, right, grade_.tests[i]);
    const TestResult* const failed = failed_row();
    if (!failed) return;
    if (grade_.debugger.empty())
      grade_.debugger = debugger_command(tools_, program) + " " + number_of_stage(failed->name, right);
    grade_.right = right_text(run.results, right);
    if (options_.recognize)
      grade_.recognized =
          name_mistakes(run.results, right, known_mistakes(tools_, exercise_, right, options_));
  }

  // A row of the table is right if all results that it names are.
  void compare(const DriverRun& run, const Results& right, TestResult& row) const {
    for (const Result& expected : right) {
      if (row.name != expected.stage && row.name != expected.label()) continue;
      const Result* const found = find_result(run.results, expected);
      if (found && is_same(*found, expected)) continue;
      if (found) {
        row.message = expected.label() + ":\n" + difference(*found, expected);
        return;
      }
      const auto unfinished = run.unfinished.find(expected.stage);
      if (unfinished == run.unfinished.end()) {
        row.message = "the program ended without " + expected.label();
        return;
      }
      row.message = failure_message(unfinished->second);
      row.timed_out = unfinished->second.timed_out;
      row.may_be_the_machine = may_be_the_machine(unfinished->second);
      return;
    }
    row.status = Status::kPassed;
    row.score = row.points;
  }

  static std::string number_of_stage(const std::string& row, const Results& right) {
    int number = -1;
    std::string stage;
    for (const Result& result : right) {
      if (result.stage != stage) ++number;
      stage = result.stage;
      if (row == stage || row == result.label()) break;
    }
    return std::to_string(number);
  }

  // "Right: softmax_forward": the stages of which all is right.
  static std::string right_text(const Results& found, const Results& right) {
    std::vector<std::string> names;
    for (const Result& result : right) {
      const Result* const mine = find_result(found, result);
      const bool is_right = mine && is_same(*mine, result);
      const bool is_new = names.empty() || names.back().substr(1) != result.stage;
      if (is_new) names.push_back((is_right ? "+" : "-") + result.stage);
      if (!is_right) names.back()[0] = '-';
    }
    std::string text;
    for (const std::string& name : names)
      if (name[0] == '+') text += (text.empty() ? "Right: " : "; ") + name.substr(1);
    return text.empty() ? "" : text + ".\n";
  }

  // --- tests: of variants, of speed, of threads ---

  // The gate comes first. If it does not end, nothing counts, and the other tests might not end either.
  void run_tests_of_exercise() {
    const fs::path program = options_.work / program_name("tests");
    if (!link(compiled(&Toolchain::test_objects), program)) return;
    const std::size_t first = exercise_.results.size();
    const auto gate = std::find_if(grade_.tests.begin(), grade_.tests.end(),
                                   [](const TestResult& test) { return test.is_gate; });
    if (gate != grade_.tests.end()) run_test(program, *gate);
    const bool is_hopeless = gate != grade_.tests.end() && gate->timed_out;
    in_parallel(exercise_.tests.size(), options_.jobs, [&](std::size_t i) {
      TestResult& test = grade_.tests[first + i];
      if (test.is_gate) return;
      test.was_tried = !is_hopeless;
      if (is_hopeless)
        test.message = "not run: the gate did not end";
      else
        run_test(program, test);
    });
    apply_gate(grade_);
    for (std::size_t i = first; i < grade_.tests.size(); ++i)
      if (grade_.tests[i].status == Status::kFailed && grade_.debugger.empty())
        grade_.debugger = debugger_command(tools_, program) + " " +
                          shell_word("--gtest_filter=" + grade_.tests[i].name) +
                          " --gtest_break_on_failure --gtest_catch_exceptions=0";
  }

  void run_test(const fs::path& program, TestResult& test) const {
    const TestRun run = run_tests(tools_, exercise_, program, test.name, options_);
    if (run.passed) {
      test.status = Status::kPassed;
      test.score = test.points;
      return;
    }
    test.message = failure_message(run.process);
    test.timed_out = run.process.timed_out;
    test.may_be_the_machine = may_be_the_machine(run.process);
  }

  const Toolchain& tools_;
  const Exercise& exercise_;
  const GradingOptions& options_;
  std::vector<fs::path> objects_;
  std::vector<std::string> include_flags_;  // of a student's header
  Grade grade_;
};

}  // namespace

Grade grade(const Toolchain& tools, const Exercise& exercise, const fs::path& files,
            const GradingOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  Grade grade = Grading(tools, exercise, options).run(files);
  grade.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return grade;
}

}  // namespace plainformer::course
