#include "submission.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <random>
#include <string_view>

#include "report/terminal.h"
#include "text.h"
#include "text_inspection.h"

namespace plainformer::course {

namespace {

constexpr double kWaiting = 4;  // times the time limit
constexpr std::string_view kUnfinished = " did not end within ", kBusy = " s, so this machine is busy.",
                           kAdvice = "\nClose other programs, and check again";
constexpr std::uintmax_t kMaxSubmittedBytes = 1'000'000;

// Options of the sanitizers. They need so much address space that RLIMIT_AS cannot limit them. Of a variable that stands
// twice the first one counts.
std::vector<std::string> test_environment(const GradingOptions& options) {
  const std::string megabytes = std::to_string(options.memory_mb),
                    at_once = ":max_allocation_size_mb=" + megabytes,
                    fill = ":max_malloc_fill_size=1000000:malloc_fill_byte=255";  // what nobody wrote is NaN
  return {"ASAN_OPTIONS=detect_leaks=0:handle_abort=1:color=never:hard_rss_limit_mb=" + megabytes + at_once +
              fill,
          "UBSAN_OPTIONS=color=never", "TSAN_OPTIONS=handle_abort=1:color=never" + at_once,
          "PLAINFORMER_THREADS=2", "PLAINFORMER_COURSE_SEED=" + std::to_string(options.seed)};
}

Limits test_limits(const Exercise& exercise, const Toolchain& tools, const GradingOptions& options) {
  const bool sanitized = tools.sanitizes(exercise);
  const double seconds = exercise.seconds * options.seconds_factor;
  // On a busy machine a sound answer waits for the processor. A deadlock waits for ever, and computes nothing.
  return {.seconds = kWaiting * seconds,
          .cpu_seconds = seconds,
          .memory_mb = sanitized ? 0 : options.memory_mb,
          .no_files = true,
          .no_children = true,
          .fixed_addresses = sanitized};
}

// ", where there is: my-softmax.cpp, notes.txt"
std::string what_is_there(const fs::path& folder) {
  std::error_code unreadable;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder, unreadable))
    names.push_back(printable(text_of(entry.path().filename())));
  if (names.empty()) return ", which is empty";
  std::sort(names.begin(), names.end());
  constexpr std::size_t kMostNames = 5;
  std::string text = ", where there is: ";
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kMostNames ? text + ", ..." : text;
}

std::string problem_of_file(const fs::path& file) {
  std::error_code missing;
  const fs::file_status status = fs::symlink_status(file, missing);
  if (!fs::exists(status))
    return text_of(file.filename()) + " is missing in " + text_of(file.parent_path()) +
           what_is_there(file.parent_path());
  if (!fs::is_regular_file(status)) return text_of(file.filename()) + " is not a regular file";
  if (fs::file_size(file) > kMaxSubmittedBytes) return text_of(file.filename()) + " is larger than 1 MB";
  return "";
}

std::string how_busy(const ProcessResult& process) {
  return std::string(kUnfinished) + std::to_string(std::lround(process.seconds)) + std::string(kBusy) +
         std::string(kAdvice);
}

// Did it hardly compute, as in a deadlock or asleep? On the busiest machine, a program that computes has some of the
// processor's time.
bool did_nothing(const ProcessResult& process) {
  constexpr double kLeastShare = 0.02;
  return process.cpu_seconds > 0 && process.cpu_seconds < kLeastShare * process.seconds;
}

std::string random_number() {
  std::random_device device;
  return std::to_string(device()) + std::to_string(device());
}

}  // namespace

fs::path files_of(const fs::path& submission, const Exercise& exercise) {
  const fs::path folder = submission / exercise.folder_name();
  return fs::is_directory(fs::symlink_status(folder)) ? folder : submission;
}

std::string problem_of_file(const Toolchain& tools, const Exercise& exercise, const fs::path& file) {
  std::string problem = problem_of_file(file);
  if (!problem.empty()) return problem;
  for (const std::string& line : inspect_text(tools, exercise, file))
    problem += (problem.empty() ? "" : "\n") + text_of(file.filename()) + ": " + line;
  return problem;
}

std::string compile_file(const Toolchain& tools, const Exercise& exercise, const fs::path& file,
                         const fs::path& object, const std::vector<std::string>& more_flags,
                         std::string* warnings) {
  const std::string problem = problem_of_file(tools, exercise, file);
  if (!problem.empty()) return problem;
  const ProcessResult compiled = tools.compile_submission(exercise, file, object, more_flags);
  if (compiled.succeeded()) {
    if (warnings) *warnings = compiled.output.substr(0, kMostCompilerBytes);
    return "";
  }
  if (compiled.timed_out) return unfinished_compilation(text_of(file.filename()), compiled);
  return text_of(file.filename()) + " does not compile:\n" + compiled.output.substr(0, kMostCompilerBytes);
}

// A program that computes is stopped by its limit of the processor's time; by that of the clock only if it has to wait.
std::string unfinished_compilation(const std::string& file, const ProcessResult& compiled) {
  return compiled.waited ? file + ": the compiler" + how_busy(compiled) : file + " takes too long to compile";
}

std::string link_problem(const ProcessResult& linked) {
  if (linked.succeeded()) return "";
  if (linked.waited) return "the linker" + how_busy(linked);
  return "it does not link:\n" + linked.output.substr(0, kMostCompilerBytes);
}

// No compiler's output and no student's file name has this form: the first line is ours, and the second one the last.
bool says_busy(const std::string& problem) {
  const std::size_t end = problem.find('\n');
  return end != std::string::npos && problem.substr(0, end).ends_with(kBusy) &&
         problem.substr(end) == kAdvice;
}

bool may_be_the_machine(const std::string& problem) {
  const std::string_view signs[] = {"No space left on device",
                                    "annot allocate memory",
                                    "memory exhausted",
                                    "Resource temporarily unavailable",
                                    "Killed signal terminated program",
                                    "takes too long to compile",
                                    kUnfinished,
                                    "cannot find -l",
                                    "unexpected memory mapping",
                                    "Shadow memory range interleaves",
                                    "ReserveShadowMemoryRange failed",
                                    "failed to allocate",
                                    "failed to intercept",
                                    "error while loading shared libraries"};
  return std::any_of(std::begin(signs), std::end(signs),
                     [&](std::string_view sign) { return problem.find(sign) != std::string::npos; });
}

bool may_be_the_machine(const ProcessResult& process) {
  constexpr int kKilled = 9, kNotStarted = 126;
  if (process.timed_out && !process.waited) return false;
  if (process.waited) return !did_nothing(process);
  return process.signal == kKilled || process.exit_code >= kNotStarted || may_be_the_machine(process.output);
}

std::string shell_word(const std::string& word) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("/._-+=,:@").find(c) != std::string_view::npos;
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

TestRun run_tests(const Toolchain& tools, const Exercise& exercise, const fs::path& program,
                  const std::string& filter, const GradingOptions& options) {
  const std::string number = random_number();
  TestRun run;
  run.process =
      run_limited(tools, exercise,
                  {text_of(program), "--gtest_filter=" + filter, "--gtest_color=no",
                   // The sanitizer shows where an exception came from, but only if nobody catches it.
                   tools.sanitizes(exercise) ? "--gtest_catch_exceptions=0" : "--gtest_catch_exceptions=1"},
                  number, options);
  run.passed = run.process.succeeded() && run.process.report == number;
  return run;
}

ProcessResult run_limited(const Toolchain& tools, const Exercise& exercise,
                          const std::vector<std::string>& command, const std::string& input,
                          const GradingOptions& options) {
  return run_process(command, input, test_limits(exercise, tools, options), test_environment(options));
}

void apply_gate(Grade& grade) {
  const auto failed_gate = [](const TestResult& test) {
    return test.is_gate && test.status == Status::kFailed;
  };
  if (std::none_of(grade.tests.begin(), grade.tests.end(), failed_gate)) return;
  for (TestResult& test : grade.tests) {
    if (test.status != Status::kPassed) continue;
    test.status = Status::kNotCounted;
    test.score = 0;
  }
}

}  // namespace plainformer::course
