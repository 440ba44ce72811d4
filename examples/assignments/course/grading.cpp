#include "grading.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <string_view>

#include "failure_message.h"
#include "io/atomic_file.h"
#include "text.h"

namespace plainformer::course {

namespace {

// Grades functions, step by step.
class Grading {
 public:
  Grading(const Toolchain& tools, const Exercise& exercise, const GradingOptions& options)
      : tools_(tools), exercise_(exercise), options_(options), grade_(ungraded(exercise)) {}

  Grade run(const Submission& submission) {
    // Step 1. Find the student's files, and compile them.
    fs::create_directories(options_.work);
    compile(submission);
    if (!grade_.problems.empty()) return grade_;

    // Step 2. Link them with the exercise's driver, and run it with the seed that the reference's driver has.
    const Results right = right_results(tools_, exercise_, options_);
    const fs::path program = options_.work / program_name("driver");
    if (!link(program)) return grade_;
    const DriverRun run = run_driver(tools_, exercise_, program, right, options_);

    // Step 3. Compare what both show, row by row of the table of points.
    for (std::size_t i = 0; i < exercise_.rows.size(); ++i)
      compare(run, right, exercise_.rows[i], grade_.rows[i]);
    for (const GradedRow& row : grade_.rows) grade_.score += row.score;

    // Step 4. Say which results are right, and whether the others are those of a known mistake.
    const auto wrong = std::find_if(grade_.rows.begin(), grade_.rows.end(),
                                    [](const GradedRow& row) { return !row.is_right; });
    if (wrong == grade_.rows.end()) return grade_;
    grade_.debugger = debugger_command(tools_, program) + " " + number_of_stage(wrong->name, right);
    grade_.right = what_is_right(run.results, right, exercise_.tolerance);
    if (options_.recognize && !exercise_.bugs.empty())
      grade_.recognized =
          name_mistakes(run.results, right, known_mistakes(tools_, exercise_, right, options_));
    return grade_;
  }

 private:
  void compile(const Submission& submission) {
    const std::vector<Source>& sources = exercise_.sources;
    std::vector<FoundFile> files;
    grade_.has_file = false;
    for (const Source& source : sources) {
      const std::string folder = source.folder.empty() ? exercise_.folder_name() : source.folder;
      files.push_back(find_file(submission, exercise_, folder, source.file_name()));
      if (files.back().problem.empty()) grade_.has_file = true;
      if (!files.back().problem.empty()) grade_.problems.push_back(files.back().problem);
    }
    if (!grade_.problems.empty()) return;
    for (std::size_t i = 0; i < sources.size(); ++i)
      if (sources[i].is_header()) take_header(sources[i], files[i].path);
    std::vector<CompiledFile> compiled(sources.size());
    in_parallel(sources.size(), options_.jobs, [&](std::size_t i) {
      if (!sources[i].is_header())
        compiled[i] =
            compile_file(tools_, exercise_, files[i].path, tools_.settings().reference(sources[i].file),
                         object_of(sources[i]), flags_of(sources[i]));
    });
    for (const CompiledFile& file : compiled) {
      if (!file.problem.empty()) grade_.problems.push_back(file.problem);
      if (file.waited) grade_.machine = file.problem;
      grade_.warnings += file.warnings;
    }
  }

  fs::path object_of(const Source& source) const {
    return options_.work / path_of(source.folder) / (source.file_name() + ".o");
  }

  Flags flags_of(const Source& source) const {
    Flags flags = header_flags_;
    for (const std::string& name : cut_by_others(exercise_.sources, source))
      flags.push_back("-D" + name + "=unused_" + name);
    return flags;
  }

  // Puts a student's header where the compiler finds it before the library's: the driver is compiled with it.
  void take_header(const Source& source, const fs::path& file) {
    const fs::path include = options_.work / "include";
    const std::string text = text_of_submission(file);
    const std::string problem =
        problem_of_text(exercise_, text, read_text(tools_.settings().reference(source.file)));
    if (!problem.empty()) grade_.problems.push_back(source.file_name() + ":\n" + problem);
    fs::create_directories((include / source.file).parent_path());
    write_file_atomically(text_of(include / source.file), text);
    header_flags_ = {"-iquote", text_of(include)};
  }

  // False if that fails; the problem is noted.
  bool link(const fs::path& program) {
    std::vector<fs::path> objects, driver;
    for (const Source& source : exercise_.sources)
      if (!source.is_header()) objects.push_back(object_of(source));
    try {
      driver = tools_.driver_objects(exercise_, header_flags_);
    } catch (const std::runtime_error& error) {
      if (header_flags_.empty()) throw;
      grade_.problems.push_back(std::string(error.what()).substr(0, 2'000));  // in the student's header
      return false;
    }
    const ProcessResult linked = tools_.link(exercise_, objects, driver, program);
    if (!linked.succeeded())
      grade_.problems.push_back("it does not link:\n" + linked.output.substr(0, 2'000));
    if (linked.waited) grade_.machine = "the linker had to wait";
    return linked.succeeded();
  }

  // A row is right if enough of the results that it names are. Its message is about the smallest of those
  // that are wrong; in a milestone, where each follows from those before it, about the first.
  void compare(const DriverRun& run, const Results& right, const Row& row, GradedRow& graded) {
    std::size_t count = 0, wrong = 0, smallest = 0;
    for (const Result& expected : right) {
      if (row.name != expected.stage && row.name != expected.label()) continue;
      ++count;
      const Result* const found = find_result(run.results, expected);
      if (found && is_same(*found, expected, exercise_.tolerance)) continue;
      const std::size_t size = expected.numbers.size();
      if (wrong++ > 0 && (size >= smallest || exercise_.is_milestone())) continue;
      smallest = size;
      graded.message = found ? expected.label() + ":\n" + difference(*found, expected, exercise_.tolerance)
                             : why_missing(run, expected);
    }
    const std::size_t enough = static_cast<std::size_t>(std::ceil(row.share * static_cast<double>(count)));
    graded.is_right = count > 0 && count - wrong >= enough;
    if (graded.is_right) graded.score = row.points;
    if (count == 0) graded.message = "the driver shows no result of this name";
    if (row.share < 1)
      graded.message = std::to_string(count - wrong) + " of " + std::to_string(count) + " are right, and " +
                       std::to_string(enough) + " are asked. " + graded.message;
  }

  std::string why_missing(const DriverRun& run, const Result& expected) {
    const auto unfinished = run.unfinished.find(expected.stage);
    if (unfinished == run.unfinished.end()) return "the program ended without " + expected.label();
    if (may_be_the_machine(unfinished->second))
      grade_.machine = expected.stage + ": " + failure_message(unfinished->second);
    return failure_message(unfinished->second);
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

  const Toolchain& tools_;
  const Exercise& exercise_;
  const GradingOptions& options_;
  Flags header_flags_;
  Grade grade_;
};

// How the compiler disguises the functions that a student's tests are tried on: other machine code, of other
// lengths, at other addresses, for the same numbers. So tests that know the code of the reference, and not
// what it computes, reject it.
Flags disguise(unsigned number) {
  if (number == 0) return {};
  constexpr const char *kLevels[] = {"-Og", "-O1", "-O2"}, *kAlignments[] = {"16", "32", "64", "128"};
  return {kLevels[number % 3], std::string("-falign-functions=") + kAlignments[number / 3 % 4],
          number / 12 % 2 == 0 ? "-fomit-frame-pointer" : "-fno-omit-frame-pointer"};
}

// Runs a student's tests with the reference (null) or with a bug. All programs have one name, which tells the
// tests nothing.
ProcessResult run_tests(const Toolchain& tools, const Exercise& exercise, const Exercise& tested,
                        const fs::path& object, const Bug* bug, const GradingOptions& options) {
  const fs::path program = options.work / program_name("tests"),
                 support = tools.settings().course_dir() / "support";
  std::vector<fs::path> functions = kept_objects_of(tools, tested, bug, disguise(options.disguise));
  functions.push_back(tools.kept_object(tested, support / "test_main.cpp", tools.test_flags()));
  const ProcessResult linked = tools.link(exercise, {object}, functions, program);
  if (!linked.succeeded()) throw std::runtime_error("it does not link:\n" + linked.output.substr(0, 2'000));
  return run_limited(tools, exercise,
                     {text_of(program), "--gtest_color=no",
                      std::string("--gtest_catch_exceptions=") + (tools.sanitizes(exercise) ? "0" : "1")},
                     options);
}

}  // namespace

Grade ungraded(const Exercise& exercise) {
  Grade grade = {.label = exercise.label(), .number = exercise.number, .points = exercise.points()};
  for (const Row& row : exercise.rows) grade.rows.push_back({.name = row.name, .points = row.points});
  return grade;
}

Grade grade_functions(const Toolchain& tools, const Exercise& exercise, const Submission& submission,
                      const GradingOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  Grade grade = Grading(tools, exercise, options).run(submission);
  grade.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return grade;
}

Grade grade_tests(const Toolchain& tools, const Exercise& exercise, const Exercise& tested,
                  const Submission& submission, const GradingOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  Grade grade = ungraded(exercise);
  const FoundFile file = find_file(submission, exercise, exercise.folder_name(), exercise.tests);
  grade.has_file = file.problem.empty();
  if (!grade.has_file) {
    grade.problems = {file.problem};
    return grade;
  }

  // Step 1. Compile the tests.
  const fs::path object = options.work / (exercise.tests + ".o");
  const CompiledFile compiled = compile_file(tools, exercise, file.path, {}, object, {});
  grade.warnings = compiled.warnings;
  if (compiled.waited) grade.machine = compiled.problem;
  if (!compiled.problem.empty()) {
    grade.problems = {compiled.problem};
    return grade;
  }

  // Step 2. Try them on the reference, twice: tests that fail by chance should do so here.
  for (int i = 0; i < 2; ++i) {
    ProcessResult accepted;
    try {
      accepted = run_tests(tools, exercise, tested, object, nullptr, options);
    } catch (const std::runtime_error& error) {
      grade.problems = {error.what()};
      return grade;
    }
    if (accepted.succeeded()) continue;
    const bool has_none = accepted.output.find("Running 0 tests") != std::string::npos;
    grade.problems = {has_none ? "there is no test"
                               : "the tests do not accept the reference:\n" + failure_message(accepted)};
    if (may_be_the_machine(accepted)) grade.machine = grade.problems[0];
    return grade;
  }
  grade.debugger =
      debugger_command(tools, options.work / program_name("tests")) + " --gtest_break_on_failure";

  // Step 3. Try them on each bug.
  for (GradedRow& row : grade.rows) {
    const auto bug = std::find_if(tested.bugs.begin(), tested.bugs.end(),
                                  [&](const Bug& candidate) { return candidate.name == row.name; });
    if (bug == tested.bugs.end()) throw std::runtime_error(row.name + " is not a bug of " + tested.label());
    const ProcessResult run = run_tests(tools, exercise, tested, object, &*bug, options);
    row.is_right = !run.succeeded() && !run.timed_out;
    if (row.is_right) row.score = row.points;
    row.message = run.timed_out ? "they were " + run.ending() + ", which rejects nothing"
                                : "they accept " + bug->numbers_of;
    grade.score += row.score;
  }
  grade.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return grade;
}

std::string shell_word(const std::string& word) {
  const auto is_plain = [](char c) {
    return is_word(c) || std::string_view("/.-+=,:@").find(c) != std::string_view::npos;
  };
  if (std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string debugger_command(const Toolchain& tools, const fs::path& program) {
  const fs::path printers = tools.settings().source_dir / ".debugger" / "plainformer_gdb.py";
  // A sanitizer that finds something aborts, and the debugger stops in the line that it found.
  return "ASAN_OPTIONS=abort_on_error=1:detect_leaks=0 gdb -q -x " +
         shell_word(text_of(fs::proximate(printers))) + " --args " +
         shell_word(text_of(fs::proximate(program)));
}

}  // namespace plainformer::course
