#include "grading.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/strings.h"
#include "platform/platform.h"

namespace plainformer::course {

namespace {

// "ASAN_OPTIONS=... gdb -q -x .debugger/plainformer_gdb.py --args build/course/check/01-softmax/driver", from
// the folder we are in.
std::string debugger_command(const Toolchain& tools, const fs::path& program) {
  const fs::path printers = tools.settings().source_dir / ".debugger" / "plainformer_gdb.py";
  // A sanitizer that finds something aborts, and the debugger stops in the line that it found.
  return "ASAN_OPTIONS=abort_on_error=1:detect_leaks=0 gdb -q -x " +
         quoted_for_shell(to_text(fs::proximate(printers))) + " --args " +
         quoted_for_shell(to_text(fs::proximate(program)));
}

// The student's files, compiled.
struct Compiled {
  std::vector<fs::path> objects = {};
  Flags header_flags = {};  // how the compiler finds the student's header before the library's
};

Compiled compile(const Toolchain& tools, const Exercise& exercise, const Submission& submission,
                 const GradingOptions& options, Grade& grade) {
  std::vector<fs::path> files;
  grade.has_file = false;
  std::optional<SubmissionError> problem;  // the first one
  for (const Source& source : exercise.sources) {
    try {
      files.push_back(find_file(submission, exercise, source));
      grade.has_file = true;
    } catch (const SubmissionError& error) {
      if (!problem) problem = error;
    }
  }
  if (problem) throw *problem;
  Compiled compiled = {.objects = std::vector<fs::path>(files.size())};
  const fs::path include = options.work / "include";
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Source& source = exercise.sources[i];
    if (!source.is_header()) continue;
    write_if_changed(include / source.file, checked_text(tools, exercise, source, files[i]));
    compiled.header_flags = {"-iquote", to_text(include)};
  }
  Texts warnings(files.size());
  in_parallel(files.size(), options.jobs, [&](std::size_t i) {
    const Source& source = exercise.sources[i];
    if (source.is_header()) return;
    Flags flags = flags_of_copy(exercise.sources, source);
    flags.insert(flags.end(), compiled.header_flags.begin(), compiled.header_flags.end());
    compiled.objects[i] = options.work / to_path(source.folder) / (source.file_name() + ".o");
    warnings[i] = compile_file(tools, exercise, source, files[i], compiled.objects[i], flags);
  });
  std::erase(compiled.objects, fs::path());  // of headers
  grade.warnings = join("", warnings);
  return compiled;
}

void link(const Toolchain& tools, const Exercise& exercise, const std::vector<fs::path>& students,
          const std::vector<fs::path>& others, const fs::path& program) {
  fs::remove(program);
  const ProcessResult linked = tools.link(exercise, students, others, program);
  if (linked.succeeded()) return;
  if (was_killed(linked)) throw busy_machine("the linker");
  throw SubmissionError("it does not link:\n" + linked.output.substr(0, kMostOutput));
}

// A row is right if enough of the results that it names are. Its message is about the smallest of those that
// are wrong; in a milestone, where each follows from those before it, about the first.
void compare(const Exercise& exercise, const DriverRun& run, const Results& right, const Row& row,
             GradedRow& graded) {
  std::size_t count = 0, wrong = 0, smallest = 0;
  for (const Result& expected : right) {
    if (row.name != expected.stage && row.name != expected.label()) continue;
    ++count;
    const Result* const found = find_result(run.results, expected);
    if (found && is_same(*found, expected, exercise.tolerance)) continue;
    const std::size_t size = expected.numbers.size();
    if (wrong++ > 0 && (size >= smallest || exercise.is_milestone())) continue;
    smallest = size;
    const auto unfinished = run.unfinished.find(expected.stage);
    graded.message = found ? expected.label() + ":\n" + difference(*found, expected, exercise.tolerance)
                     : unfinished == run.unfinished.end() ? "the program ended without " + expected.label()
                                                          : failure_message(unfinished->second);
  }
  const auto enough = static_cast<std::size_t>(std::ceil(row.share * static_cast<double>(count)));
  graded.is_right = count > 0 && count - wrong >= enough;
  if (graded.is_right) graded.score = row.points;
  if (count == 0) graded.message = "the driver shows no result of this name";
  if (row.share < 1)
    graded.message = std::to_string(count - wrong) + " of " + std::to_string(count) + " are right, and " +
                     std::to_string(enough) + " are asked. " + graded.message;
}

void grade_functions(const Toolchain& tools, const Exercise& exercise, const Submission& submission,
                     const GradingOptions& options, Grade& grade) {
  // Step 1. Find the student's files, and compile them.
  const Compiled compiled = compile(tools, exercise, submission, options, grade);

  // Step 2. Link them with the exercise's driver, and run it with the seed that the reference's driver has.
  const Results& right = right_results(tools, exercise, options);
  const fs::path program = options.work / "driver";
  std::vector<fs::path> driver;
  try {
    driver = tools.driver_objects(exercise, compiled.header_flags);
  } catch (const std::runtime_error& error) {
    if (compiled.header_flags.empty()) throw;
    throw SubmissionError(std::string(error.what()).substr(0, kMostOutput));  // it is in the student's header
  }
  link(tools, exercise, compiled.objects, driver, program);
  const DriverRun run = run_driver(tools, exercise, program, right, options);

  // Step 3. Compare what both show, row by row of the table of points.
  for (std::size_t i = 0; i < exercise.rows.size(); ++i) {
    compare(exercise, run, right, exercise.rows[i], grade.rows[i]);
    grade.score += grade.rows[i].score;
  }

  // Step 4. Say which results are right, and whether the others are those of a known mistake.
  const auto wrong =
      std::find_if(grade.rows.begin(), grade.rows.end(), [](const GradedRow& row) { return !row.is_right; });
  if (wrong == grade.rows.end()) return;
  const Texts stages = stages_of(right);
  const auto stage = std::find(stages.begin(), stages.end(), wrong->name.substr(0, wrong->name.find(": ")));
  if (options.seed != 1) grade.debugger = "PLAINFORMER_COURSE_SEED=" + std::to_string(options.seed) + " ";
  grade.debugger += debugger_command(tools, program) + " " + std::to_string(stage - stages.begin());
  grade.right = what_is_right(run.results, right, exercise.tolerance);
  grade.printed = printed(run.output);
  if (!exercise.bugs.empty())
    grade.recognized = name_mistakes(run.results, right, known_mistakes(tools, exercise, right, options));
}

// How the compiler disguises the functions that a student's tests are tried on, drawn from the seed: other
// machine code, of other lengths, at other addresses, for the same numbers. So tests that know the code of
// the reference, and not what it computes, reject it.
Flags disguise(Index seed) {
  constexpr const char *kLevels[] = {"-Og", "-O1", "-O2"}, *kAlignments[] = {"16", "32", "64", "128"};
  return {kLevels[seed % 3], std::string("-falign-functions=") + kAlignments[seed / 3 % 4]};
}

void grade_tests(const Course& course, const Exercise& exercise, const Submission& submission,
                 const GradingOptions& options, Grade& grade) {
  const Toolchain& tools = course.tools;
  const Exercise& tested = find_exercise(course.exercises, exercise.tests_of, false);

  // Step 1. Find and compile the tests.
  const Source source = {.file = exercise.tests};
  const fs::path object = options.work / (exercise.tests + ".o"), program = options.work / "tests",
                 test_main = tools.settings().course_dir() / "support" / "test_main.cpp";
  grade.has_file = false;
  const fs::path file = find_file(submission, exercise, source);
  grade.has_file = true;
  grade.warnings = compile_file(tools, exercise, source, file, object, {});

  // They run with the reference (null) or with a bug. All programs have one name, which tells the tests
  // nothing.
  const auto tried_on = [&](const Bug* bug) {
    std::vector<fs::path> functions = kept_objects_of(tools, tested, bug, disguise(options.seed));
    functions.push_back(tools.kept_object(tested, test_main, tools.test_flags()));
    link(tools, exercise, {object}, functions, program);
    return run_limited(tools, exercise,
                       {to_text(program), "--gtest_color=no",
                        std::string("--gtest_catch_exceptions=") + (tools.sanitizes(exercise) ? "0" : "1")},
                       options);
  };

  // Step 2. Try them on the reference, twice: tests that fail by chance should do so here.
  for (int i = 0; i < 2; ++i) {
    const ProcessResult run = tried_on(nullptr);
    if (run.output.find("Running 0 tests") != std::string::npos) throw SubmissionError("there is no test");
    if (!run.succeeded())
      throw SubmissionError("the tests do not accept the reference:\n" + failure_message(run));
  }
  grade.debugger = debugger_command(tools, program) + " --gtest_break_on_failure";

  // Step 3. Try them on each bug.
  for (GradedRow& row : grade.rows) {
    const auto bug = std::find_if(tested.bugs.begin(), tested.bugs.end(),
                                  [&](const Bug& candidate) { return candidate.name == row.name; });
    if (bug == tested.bugs.end()) throw std::runtime_error(row.name + " is not a bug of " + tested.label());
    const ProcessResult run = tried_on(&*bug);
    row.is_right = !run.succeeded() && !run.timed_out;
    if (row.is_right) row.score = row.points;
    row.message = run.timed_out ? "they were " + run.ending() + ", which rejects nothing"
                                : "they accept " + bug->numbers_of;
    grade.score += row.score;
  }
}

}  // namespace

Grade ungraded(const Exercise& exercise) {
  Grade grade = {.label = exercise.label(), .points = exercise.points()};
  for (const Row& row : exercise.rows) grade.rows.push_back({.name = row.name, .points = row.points});
  return grade;
}

Grade grade_exercise(const Course& course, const Exercise& exercise, const Submission& submission,
                     const GradingOptions& options) {
  fs::create_directories(options.work);
  Grade grade = ungraded(exercise);
  try {
    if (exercise.asks_for_tests())
      grade_tests(course, exercise, submission, options, grade);
    else
      grade_functions(course.tools, exercise, submission, options, grade);
  } catch (const SubmissionError& error) {
    grade.problem = error.what();
  }
  return grade;
}

}  // namespace plainformer::course
