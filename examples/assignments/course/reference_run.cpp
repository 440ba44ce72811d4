#include "reference_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>

#include "io/atomic_file.h"
#include "submission.h"
#include "test_grading.h"
#include "text.h"

namespace plainformer::course {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_from(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The exercise itself, whose answer is in src/.
const Exercise& without_variant(const Course& course, const Exercise& exercise) {
  return exercise.variant.empty() ? exercise : find_exercise(course.exercises, exercise.name, false);
}

// Compiles the reference's files as a student's.    Why it fails; empty if it does not
std::string compile_reference(const Toolchain& tools, const Exercise& exercise, const fs::path& work,
                              std::vector<fs::path>& objects, ReferenceRun& run) {
  for (const Source& source : exercise.sources) {
    objects.push_back(work / (source.file_name() + ".o"));
    const ProcessResult compiled =
        tools.compile_submission(exercise, tools.settings().reference(source.file), objects.back());
    run.compiler_mb = std::max(run.compiler_mb, compiled.peak_mb);
    run.compiler_seconds += compiled.cpu_seconds;
    if (compiled.timed_out) {
      run.is_busy = compiled.waited;
      return unfinished_compilation("src/" + source.file, compiled);
    }
    if (!compiled.succeeded())
      return source.file + " does not compile (" + compiled.ending() + "):\n" +
             compiled.output.substr(0, kMostCompilerBytes);
  }
  return "";
}

std::string first_failure(const Toolchain& tools, const Exercise& exercise, const fs::path& program,
                          const GradingOptions& options, ReferenceRun& run) {
  for (const ScoredTest& test : exercise.tests) {
    const TestRun tried = run_tests(tools, exercise, program, test.name, options);
    run.test_mb = std::max(run.test_mb, tried.process.peak_mb);
    run.test_seconds += tried.process.cpu_seconds;
    if (tried.passed) continue;
    run.is_busy = tried.process.waited;
    if (run.is_busy)
      return test.name + " was " + tried.process.ending() +
             ".\nClose other programs, and check again, or allow more time: `--seconds-factor 3`";
    return test.name + " fails for the reference (" + tried.process.ending() + "):\n" +
           tried.process.output.substr(0, kMostCompilerBytes);
  }
  return "";
}

std::string run_functions(const Toolchain& tools, const Exercise& exercise, const GradingOptions& options,
                          ReferenceRun& run) {
  std::vector<fs::path> objects;
  std::string problem = compile_reference(tools, exercise, options.work, objects, run);
  if (!problem.empty()) return problem;
  const fs::path program = options.work / program_name("reference");
  const ProcessResult linked = tools.link(exercise, objects, tools.test_objects(exercise), program);
  run.is_busy = linked.waited;
  if (!linked.succeeded()) return "the reference: " + link_problem(linked);
  return first_failure(tools, exercise, program, options, run);
}

std::string run_starting_file(const Course& course, const Exercise& exercise, const GradingOptions& options,
                              ReferenceRun& run) {
  const Exercise& tested = find_exercise(course.exercises, std::to_string(exercise.tests_of), false);
  const Grade grade = grade_tests(course.tools, exercise, tested, exercise.folder / "start", options);
  for (const std::string& problem : grade.problems) {
    run.is_busy = says_busy(problem);
    return problem;
  }
  return grade.tests.at(0).status == Status::kPassed ? "" : grade.tests[0].message;
}

// --- the losses ---

// Another compiler, or other numbers drawn from another seed, have other losses.
std::string name_of_losses(const Exercise& exercise, const Toolchain& tools, unsigned seed) {
  const std::size_t compiler = std::hash<std::string>()(tools.settings().compiler_of_submissions());
  char text[40];
  std::snprintf(text, sizeof text, "-%08zx-%u", compiler & 0xFFFFFFFF, seed);
  return exercise.folder_name() + text;
}

bool is_newer(const fs::path& file, const std::vector<fs::path>& others) {
  std::error_code missing;
  const auto time = fs::last_write_time(file, missing);
  if (missing) return false;
  return std::all_of(others.begin(), others.end(),
                     [&](const fs::path& other) { return fs::last_write_time(other) <= time; });
}

// "SUITE.TEST loss loss ..." in a line for each test.
using Losses = std::map<std::string, std::vector<double>>;

Losses read_losses(const fs::path& file) {
  Losses all;
  for (const std::string& line : lines_of(read_text(file))) {
    const std::size_t name_end = line.find(' ');
    std::vector<double>& losses = all[line.substr(0, name_end)];
    const char* at = name_end == std::string::npos ? "" : line.c_str() + name_end;
    for (char* end = nullptr; *at != '\0'; at = end) {
      losses.push_back(std::strtod(at, &end));
      if (end == at) break;
    }
  }
  return all;
}

void write_losses(const fs::path& file, const Losses& all) {
  std::string text;
  for (const auto& [test, losses] : all) {
    text += test;
    for (const double loss : losses) {
      char number[40];
      std::snprintf(number, sizeof number, " %.17g", loss);
      text += number;
    }
    text += '\n';
  }
  write_file_atomically(text_of(file), text);
}

Losses losses_of_reference(const Toolchain& tools, const Exercise& exercise, const GradingOptions& options) {
  const fs::path folder =
      tools.settings().binary_dir / "reference" / name_of_losses(exercise, tools, options.seed);
  const fs::path file = folder / "losses.txt";
  std::vector<fs::path> needed = tools.test_objects(exercise);
  needed.push_back(exercise.in_float ? tools.settings().float_library() : tools.settings().library);
  for (const Source& source : exercise.sources) needed.push_back(tools.settings().reference(source.file));
  if (is_newer(file, needed)) return read_losses(file);

  GradingOptions own = options;
  own.work = folder / process_id();
  fs::create_directories(own.work);
  ReferenceRun run;
  const std::string problem = run_functions(tools, exercise, own, run);
  if (!problem.empty())
    throw std::runtime_error("this machine cannot grade " + exercise.label() + ": " + problem);
  Losses all;
  for (const ScoredTest& test : exercise.tests)
    all[test.name] = run_tests(tools, exercise, own.work / program_name("reference"), test.name, own).losses;
  write_losses(file, all);
  fs::remove_all(own.work);
  return all;
}

bool same_loss(double found, double expected) {
  constexpr double kAgreement = 1e-11;  // a millionth of it is seen in a difference of two losses
  return std::abs(found - expected) <= kAgreement * (1 + std::abs(expected));
}

}  // namespace

ReferenceRun run_reference(const Course& course, const Exercise& exercise, const GradingOptions& options) {
  const auto start = Clock::now();
  ReferenceRun run;
  const Exercise& tried = without_variant(course, exercise);
  fs::create_directories(options.work);
  try {
    run.problem = tried.kind == Kind::kTests ? run_starting_file(course, tried, options, run)
                                             : run_functions(course.tools, tried, options, run);
  } catch (const std::exception& error) {
    run.problem = error.what();
  }
  run.seconds = seconds_from(start);
  return run;
}

std::string failure_of(const ReferenceRun& run) {
  const std::string what = run.is_busy ? "even the library's own answer is not done in time"
                                       : "the library's own answer does not get all points here";
  return what + ":\n" + run.problem;
}

std::string machine_problem(const std::string& label, const ReferenceRun& run) {
  if (run.problem.empty()) return "";
  if (run.is_busy) return "this machine is too busy to grade " + label + ": " + failure_of(run);
  return "this machine cannot grade " + label + ": " + failure_of(run) +
         "\n`course health` says what to mend";
}

std::string problem_of_losses(const Toolchain& tools, const Exercise& exercise, const std::string& test,
                              const std::vector<double>& losses, const GradingOptions& options) {
  if (losses.empty() || exercise.name.empty() || !exercise.variant.empty()) return "";
  Losses reference;
  {
    static std::mutex one_at_a_time;
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    reference = losses_of_reference(tools, exercise, options);
  }
  const std::vector<double>& expected = reference[test];
  const bool same_count = losses.size() == expected.size();
  for (std::size_t i = 0; i < (same_count ? losses.size() : 0); ++i) {
    if (same_loss(losses[i], expected[i])) continue;
    char text[200];
    std::snprintf(
        text, sizeof text,
        "The gradient is that of your forward pass, but your forward pass computes something else on this "
        "test's inputs: the loss is %.12g there, expected %.12g",
        losses[i], expected[i]);
    return text;
  }
  return same_count ? "" : "the test asked for another number of losses than with the reference";
}

}  // namespace plainformer::course
