#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "commands.h"
#include "core/input_error.h"
#include "core/thread_pool.h"
#include "platform/platform.h"
#include "reference_run.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr double kNeededMemory = 768e6, kNeededDisk = 1e9;  // bytes: measured, see teaching/running.md

// Something that grading needs, and what to do if it is missing.
struct HealthFinding {
  std::string what, found;
  std::string mend = {};  // empty: it is all right
};

std::string first_line_of(const std::string& text) {
  const std::vector<std::string> lines = lines_of(text);
  return lines.empty() ? "" : lines[0];
}

std::string rounded_with_unit(double number, const std::string& unit) {
  return std::to_string(std::lround(number)) + " " + unit;
}

HealthFinding compiler_finding(const Settings& settings) {
  const ProcessResult result = run_process({settings.compiler, "--version"});
  if (result.succeeded()) return {"compiler", first_line_of(result.output)};
  return {"compiler", settings.compiler + " does not run",
          "install it again, and run `cmake --workflow --preset course` in an empty build folder"};
}

// Compiles a program with a sanitizer and starts it as a test is started.
HealthFinding sanitizer_finding(const Settings& settings, const fs::path& work, const std::string& sanitizers,
                                bool links) {
  const std::string what = "sanitizers " + sanitizers;
  if (!links)
    return {what, "the compiler cannot link them",
            "install its libraries (Clang's are in libclang-rt-dev); without them an overrun may pass"};
  const fs::path source = work / "empty.cpp", program = work / program_name("empty-" + sanitizers);
  std::ofstream(source) << "int main() {}\n";
  const ProcessResult built =
      run_process({settings.compiler, "-fsanitize=" + sanitizers, text_of(source), "-o", text_of(program)});
  if (!built.succeeded())
    return {what, "it does not compile: " + first_line_of(built.output), "see the message"};
  constexpr double kMostSecondsToStart = 20;
  const ProcessResult run =
      run_process({text_of(program)}, "", {.seconds = kMostSecondsToStart, .fixed_addresses = true});
  if (run.succeeded()) return {what, "they start"};
  return {what, "they do not start: " + first_line_of(run.output + run.ending()),
          "allow the system call `personality` (docker run --security-opt seccomp=unconfined), lower "
          "vm.mmap_rnd_bits to 28, or take a newer compiler"};
}

// Linux tells each process how its addresses are chosen.
HealthFinding addresses_finding() {
  const std::string file = "/proc/self/personality";
  if (!fs::exists(file)) return {"addresses", "this system fixes none; its sanitizers do not need it"};
  const std::string flags = first_line_of(run_process({"cat", file}, "", {.fixed_addresses = true}).output);
  constexpr unsigned long kFixed = 0x0040000;
  const unsigned long number = std::strtoul(flags.c_str(), nullptr, 16);
  if ((number & kFixed) != 0) return {"addresses", "programs may fix them"};
  return {"addresses", "the system call `personality` is forbidden",
          "older sanitizers may not start: docker run --security-opt seccomp=unconfined"};
}

HealthFinding memory_finding() {
  const double bytes = usable_memory_bytes();
  if (!std::isfinite(bytes)) return {"memory", "the system does not say"};
  const std::string found = rounded_with_unit(bytes / 1e6, "MB");
  if (bytes >= kNeededMemory) return {"memory", found};
  return {"memory", found, "give it 768 MB, and grade with --jobs 1"};
}

HealthFinding disk_finding(const fs::path& folder) {
  std::error_code unknown;
  const auto space = fs::space(folder, unknown);
  if (unknown) return {"disk", "the system does not say"};
  const std::string found = rounded_with_unit(static_cast<double>(space.available) / 1e6, "MB free");
  if (static_cast<double>(space.available) >= kNeededDisk) return {"disk", found};
  return {"disk", found, "free 1 GB in " + text_of(folder)};
}

HealthFinding reference_finding(const Course& course, const Exercise& exercise,
                                const GradingOptions& options) {
  const std::string what = "a check of " + exercise.label();
  const auto start = std::chrono::steady_clock::now();
  const std::string problem = machine_problem(course, exercise, options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!problem.empty())
    return {what, problem,
            "first all that stands above; then more time (--seconds-factor 3) or memory (--memory 2048)"};
  constexpr double kSlow = 60;
  if (seconds < kSlow) return {what, rounded_with_unit(seconds, "s")};
  return {what, rounded_with_unit(seconds, "s"),
          "it is slow: close what else runs, or grade with --seconds-factor 3"};
}

int print_findings(const std::vector<HealthFinding>& findings) {
  constexpr std::size_t kColumn = 34;
  int missing = 0;
  for (const HealthFinding& finding : findings) {
    const std::string name =
        finding.what + std::string(kColumn - std::min(kColumn, finding.what.size()), ' ');
    std::cout << (finding.mend.empty() ? "ok    " : "MEND  ") << name << finding.found << '\n';
    if (finding.mend.empty()) continue;
    std::cout << "      -> " << finding.mend << '\n';
    ++missing;
  }
  std::cout << (missing == 0 ? "This machine can grade.\n" : "Mend what is marked, and try again.\n");
  return missing == 0 ? 0 : 1;
}

std::vector<HealthFinding> findings_of(const Course& course, const GradingOptions& options) {
  const Settings& settings = course.tools.settings();
  const Exercise& first = course.exercises.at(0);
  std::vector<HealthFinding> findings = {
      compiler_finding(settings),
      addresses_finding(),
      sanitizer_finding(settings, options.work, "address,undefined", settings.sanitizers),
      sanitizer_finding(settings, options.work, "thread", settings.thread_sanitizer),
      memory_finding(),
      {.what = "processors", .found = std::to_string(usable_processors())},
      disk_finding(settings.binary_dir)};
  prepare(course, {&first}, options.jobs);
  findings.push_back(reference_finding(course, first, options));
  return findings;
}

}  // namespace

int health_command(const Course& course, const Arguments& arguments) {
  CommandLine line(
      "course health [options]",
      "Says whether this machine can grade: compiler, sanitizers, memory, disk, and the time of a "
      "check.\nWhat is missing is marked with what mends it.");
  Index memory = 1024;
  double seconds_factor = 1;
  line.option("--memory", "MB", &memory, "of one test, as for grade");
  line.option("--seconds-factor", "F", &seconds_factor, "times the limits of time, as for grade");
  if (wants_help(arguments)) {
    std::cout << line.help();
    return 0;
  }
  expect_no_more(line.parse(arguments));
  require_between("--memory", memory, 64, 1'000'000);
  const fs::path work = course.tools.settings().binary_dir / "health" / process_id();
  fs::create_directories(work);
  const GradingOptions options = {.work = work,
                                  .jobs = default_threads(),
                                  .memory_mb = static_cast<long>(memory),
                                  .seconds_factor = seconds_factor};
  const int exit_code = print_findings(findings_of(course, options));
  fs::remove_all(work);
  return exit_code;
}

}  // namespace plainformer::course
