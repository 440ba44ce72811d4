#include "grading.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/input_error.h"
#include "io/atomic_file.h"
#include "platform/platform.h"

namespace plainformer::course {

namespace {

constexpr std::size_t kMostOutput = 2'000;  // of a compiler's or a linker's, in a message

// "ASAN_OPTIONS=... gdb -q -x .debugger/plainformer_gdb.py --args build/course/check/01-softmax/driver", from
// the folder we are in.
std::string debugger_command(const Toolchain& tools, const fs::path& program) {
  const fs::path printers = tools.settings().source_dir / ".debugger" / "plainformer_gdb.py";
  // A sanitizer that finds something aborts, and the debugger stops in the line that it found.
  return "ASAN_OPTIONS=abort_on_error=1:detect_leaks=0 gdb -q -x " +
         quoted_for_shell(to_text(fs::proximate(printers))) + " --args " +
         quoted_for_shell(to_text(fs::proximate(program)));
}

// Grades functions, step by step.
class FunctionGrading {
 public:
  FunctionGrading(const Toolchain& tools, const Exercise& exercise, const GradingOptions& options)
      : tools_(tools), exercise_(exercise), options_(options), grade_(ungraded(exercise)) {}

  Grade run(const Submission& submission) {
    // Step 1. Find the student's files, and compile them.
    compile(submission);
    if (!grade_.problem.empty()) return grade_;

    // Step 2. Link them with the exercise's driver, and run it with the seed that the reference's driver has.
    const Results& right = right_results(tools_, exercise_, options_);
    const fs::path program = options_.work / program_name("driver");
    link(program);
    if (!grade_.problem.empty()) return grade_;
    const DriverRun run = run_driver(tools_, exercise_, program, right, options_);

    // Step 3. Compare what both show, row by row of the table of points.
    for (std::size_t i = 0; i < exercise_.rows.size(); ++i) {
      compare(run, right, exercise_.rows[i], grade_.rows[i]);
      grade_.score += grade_.rows[i].score;
    }

    // Step 4. Say which results are right, and whether the others are those of a known mistake.
    const auto wrong = std::find_if(grade_.rows.begin(), grade_.rows.end(),
                                    [](const GradedRow& row) { return !row.is_right; });
    if (wrong == grade_.rows.end()) return grade_;
    const Texts stages = stages_of(right);
    const std::string stage = wrong->name.substr(0, wrong->name.find(": "));
    grade_.debugger = debugger_command(tools_, program) + " " +
                      std::to_string(std::find(stages.begin(), stages.end(), stage) - stages.begin());
    grade_.right = what_is_right(run.results, right, exercise_.tolerance);
    if (options_.recognize && !exercise_.bugs.empty())
      grade_.recognized =
          name_mistakes(run.results, right, known_mistakes(tools_, exercise_, right, options_));
    return grade_;
  }

 private:
  void note(const std::string& problem) { grade_.problem += problem + (problem.empty() ? "" : "\n"); }

  void compile(const Submission& submission) {
    const std::vector<Source>& sources = exercise_.sources;
    std::vector<FoundFile> files;
    for (const Source& source : sources) files.push_back(find_file(submission, exercise_, source));
    for (const FoundFile& file : files) note(file.problem);
    grade_.has_file =
        std::any_of(files.begin(), files.end(), [](const FoundFile& file) { return file.problem.empty(); });
    if (!grade_.problem.empty()) return;
    for (std::size_t i = 0; i < sources.size(); ++i)
      if (sources[i].is_header()) take_header(sources[i], files[i].path);
    std::vector<CompiledFile> compiled(sources.size());
    in_parallel(sources.size(), options_.jobs, [&](std::size_t i) {
      if (sources[i].is_header()) return;
      Flags flags = header_flags_;
      for (const std::string& name : cut_by_others(sources, sources[i]))
        flags.push_back("-D" + name + "=unused_" + name);
      compiled[i] = compile_file(tools_, exercise_, sources[i], files[i].path, object_of(sources[i]), flags);
    });
    for (const CompiledFile& file : compiled) {
      note(file.problem);
      grade_.warnings += file.warnings;
    }
  }

  fs::path object_of(const Source& source) const {
    return options_.work / to_path(source.folder) / (source.file_name() + ".o");
  }

  // Puts a student's header where the compiler finds it before the library's: the driver is compiled with it.
  void take_header(const Source& source, const fs::path& file) {
    const fs::path include = options_.work / "include";
    const std::string text = text_of_submission(file);
    const std::string problem =
        problem_of_text(exercise_, text, read_text(tools_.settings().reference(source.file)));
    if (!problem.empty()) note(source.file_name() + ":\n" + problem);
    fs::create_directories((include / source.file).parent_path());
    write_file_atomically(to_text(include / source.file), text);
    header_flags_ = {"-iquote", to_text(include)};
  }

  void link(const fs::path& program) {
    std::vector<fs::path> objects, driver;
    for (const Source& source : exercise_.sources)
      if (!source.is_header()) objects.push_back(object_of(source));
    try {
      driver = tools_.driver_objects(exercise_, header_flags_);
    } catch (const std::runtime_error& error) {
      if (header_flags_.empty()) throw;
      return note(std::string(error.what()).substr(0, kMostOutput));  // in the student's header
    }
    const ProcessResult linked = tools_.link(exercise_, objects, driver, program);
    if (!linked.succeeded()) note("it does not link:\n" + linked.output.substr(0, kMostOutput));
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
    const auto enough = static_cast<std::size_t>(std::ceil(row.share * static_cast<double>(count)));
    graded.is_right = count > 0 && count - wrong >= enough;
    if (graded.is_right) graded.score = row.points;
    if (count == 0) graded.message = "the driver shows no result of this name";
    if (row.share < 1)
      graded.message = std::to_string(count - wrong) + " of " + std::to_string(count) + " are right, and " +
                       std::to_string(enough) + " are asked. " + graded.message;
  }

  static std::string why_missing(const DriverRun& run, const Result& expected) {
    const auto unfinished = run.unfinished.find(expected.stage);
    return unfinished == run.unfinished.end() ? "the program ended without " + expected.label()
                                              : failure_message(unfinished->second);
  }

  const Toolchain& tools_;
  const Exercise& exercise_;
  const GradingOptions& options_;
  Flags header_flags_;
  Grade grade_;
};

// How the compiler disguises the functions that a student's tests are tried on, drawn from the seed: other
// machine code, of other lengths, at other addresses, for the same numbers. So tests that know the code of
// the reference, and not what it computes, reject it.
Flags disguise(Index seed) {
  constexpr const char *kLevels[] = {"-Og", "-O1", "-O2"}, *kAlignments[] = {"16", "32", "64", "128"};
  return {kLevels[seed % 3], std::string("-falign-functions=") + kAlignments[seed / 3 % 4]};
}

// Grades a student's tests.
class TestGrading {
 public:
  TestGrading(const Toolchain& tools, const Exercise& exercise, const Exercise& tested,
              const GradingOptions& options)
      : tools_(tools), exercise_(exercise), tested_(tested), options_(options), grade_(ungraded(exercise)) {}

  Grade run(const Submission& submission) {
    // Step 1. Find and compile the tests.
    const Source source = {.file = exercise_.tests};
    const FoundFile file = find_file(submission, exercise_, source);
    grade_.has_file = file.problem.empty();
    grade_.problem = file.problem;
    if (!grade_.has_file) return grade_;
    const CompiledFile compiled = compile_file(tools_, exercise_, source, file.path, object(), {});
    grade_.warnings = compiled.warnings;
    grade_.problem = compiled.problem;

    // Step 2. Try them on the reference, twice: tests that fail by chance should do so here.
    for (int i = 0; i < 2 && grade_.problem.empty(); ++i) try_reference();
    if (!grade_.problem.empty()) return grade_;
    grade_.debugger = debugger_command(tools_, program()) + " --gtest_break_on_failure";

    // Step 3. Try them on each bug.
    for (GradedRow& row : grade_.rows) try_bug(row);
    return grade_;
  }

 private:
  fs::path object() const { return options_.work / (exercise_.tests + ".o"); }
  fs::path program() const { return options_.work / program_name("tests"); }

  // Runs the tests with the reference (null) or with a bug. All programs have one name, which tells the tests
  // nothing.
  ProcessResult tried_on(const Bug* bug) const {
    std::vector<fs::path> functions = kept_objects_of(tools_, tested_, bug, disguise(options_.seed));
    functions.push_back(tools_.kept_object(
        tested_, tools_.settings().course_dir() / "support" / "test_main.cpp", tools_.test_flags()));
    fs::remove(program());
    const ProcessResult linked = tools_.link(exercise_, {object()}, functions, program());
    if (!linked.succeeded()) return linked;
    return run_limited(tools_, exercise_,
                       {to_text(program()), "--gtest_color=no",
                        std::string("--gtest_catch_exceptions=") + (tools_.sanitizes(exercise_) ? "0" : "1")},
                       options_);
  }

  void try_reference() {
    const ProcessResult run = tried_on(nullptr);
    if (run.succeeded()) return;
    if (!fs::exists(program()))
      grade_.problem = "it does not link:\n" + run.output.substr(0, kMostOutput);
    else if (run.output.find("Running 0 tests") != std::string::npos)
      grade_.problem = "there is no test";
    else
      grade_.problem = "the tests do not accept the reference:\n" + failure_message(run);
  }

  void try_bug(GradedRow& row) {
    const auto bug = std::find_if(tested_.bugs.begin(), tested_.bugs.end(),
                                  [&](const Bug& candidate) { return candidate.name == row.name; });
    if (bug == tested_.bugs.end()) throw std::runtime_error(row.name + " is not a bug of " + tested_.label());
    const ProcessResult run = tried_on(&*bug);
    row.is_right = !run.succeeded() && !run.timed_out;
    if (row.is_right) row.score = row.points;
    row.message = run.timed_out ? "they were " + run.ending() + ", which rejects nothing"
                                : "they accept " + bug->numbers_of;
    grade_.score += row.score;
  }

  const Toolchain& tools_;
  const Exercise &exercise_, &tested_;
  const GradingOptions& options_;
  Grade grade_;
};

}  // namespace

Grade ungraded(const Exercise& exercise) {
  Grade grade = {.label = exercise.label(), .number = exercise.number, .points = exercise.points()};
  for (const Row& row : exercise.rows) grade.rows.push_back({.name = row.name, .points = row.points});
  return grade;
}

Grade grade_exercise(const Toolchain& tools, const std::vector<Exercise>& all, const Exercise& exercise,
                     const Submission& submission, const GradingOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  fs::create_directories(options.work);
  Grade grade;
  if (exercise.asks_for_tests())
    grade =
        TestGrading(tools, exercise, find_exercise(all, exercise.tests_of, false), options).run(submission);
  else
    grade = FunctionGrading(tools, exercise, options).run(submission);
  grade.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return grade;
}

}  // namespace plainformer::course
