// Runs the program `plainformer`, or another one, as its user does: arguments and standard input in; standard
// output, standard error and exit code out.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "io/temporary_folder.h"
#include "support/thrown_message.h"
#include "system/process.h"

namespace plainformer {

struct ProgramResult {
  std::string out, err;
  int exit_code = -1;  // 128 + the signal's number if one killed it
  double cpu_seconds = 0;
  std::vector<std::string> arguments = {};  // the command and its options
};

// A running program. Its output goes to files, which become the result.
class Program {
 public:
  explicit Program(const std::vector<std::string>& arguments, const ProgramSetup& setup = {})
      : arguments_(arguments), process_(with_files(arguments, setup)) {}

  void write_input(const std::string& text) { process_.write_input(text); }
  void close_input() { process_.close_input(); }

  void send(int signal) const { process_.send(signal); }
  // The most memory that it has taken so far, in bytes.
  std::uintmax_t peak_memory() const { return process_.peak_memory(); }
  bool lift_file_size_limit() const { return process_.lift_file_size_limit(); }
  std::string err_so_far() const { return folder_.read("err"); }

  ProgramResult wait() {
    const ProcessEnd end = process_.wait();
    return {.out = folder_.read("out"),
            .err = folder_.read("err"),
            .exit_code = end.exit_code,
            .cpu_seconds = end.cpu_seconds,
            .arguments = arguments_};
  }

 private:
  ProgramSetup with_files(const std::vector<std::string>& arguments, ProgramSetup setup) const {
    if (setup.program.empty()) setup.program = PLAINFORMER_PROGRAM;
    setup.arguments = arguments;
    if (setup.stdin_path.empty() && !setup.input_follows) setup.stdin_path = folder_.write("in", setup.input);
    if (setup.stdout_path.empty()) setup.stdout_path = folder_.path_of("out");
    if (setup.stderr_path.empty()) setup.stderr_path = folder_.path_of("err");
    return setup;
  }

  const std::vector<std::string> arguments_;
  const TemporaryFolder folder_;
  ChildProcess process_;
};

inline ProgramResult run_program(const std::vector<std::string>& arguments, const ProgramSetup& setup = {}) {
  return Program(arguments, setup).wait();
}

// Waits until another process has done something. False if it has not after a minute.
inline bool wait_until(const std::function<bool()>& happened) {
  for (int i = 0; i < 6000 * kPatience && !happened(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return happened();
}

// All arguments of one list, then all of the other.
inline std::vector<std::string> joined(std::vector<std::string> first,
                                       const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

inline std::ptrdiff_t count_lines(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

// The text with one blank where a table has several.
inline std::string with_single_blanks(std::string text) {
  text.erase(std::unique(text.begin(), text.end(), [](char a, char b) { return a == ' ' && b == ' '; }),
             text.end());
  return text;
}

// The result with only the last line of standard error.
inline ProgramResult with_last_line(ProgramResult result) {
  const std::size_t end =
      result.err.size() < 2 ? std::string::npos : result.err.rfind('\n', result.err.size() - 2);
  if (end != std::string::npos) result.err.erase(0, end + 1);
  return result;
}

// The command failed with one line, "plainformer train: ... (hint: ...)", that has all the parts, and printed
// no result.
inline testing::AssertionResult refused(const ProgramResult& result, const std::vector<std::string>& parts,
                                        int exit_code = 1) {
  std::string command = result.arguments.at(0);
  if (command == "bpe" || command == "treebank") command += " " + result.arguments.at(1);
  const auto failure = [&](const std::string& what) {
    return testing::AssertionFailure() << what << "; exit code " << result.exit_code << ", stderr:\n"
                                       << result.err << "stdout:\n"
                                       << result.out.substr(0, 1000);
  };
  if (result.exit_code != exit_code) return failure("not exit code " + std::to_string(exit_code));
  if (!result.out.empty()) return failure("something on stdout");
  if (count_lines(result.err) != 1 || result.err.back() != '\n') return failure("not one line on stderr");
  if (result.err.rfind("plainformer " + command + ": ", 0) != 0) return failure("not by " + command);
  if (result.err.rfind("plainformer " + command + ": " + command + ": ", 0) == 0)
    return failure("stuttering");
  if (!contains(result.err, " (hint: ") || !result.err.ends_with(")\n")) return failure("without a hint");
  for (const std::string& part : parts) {
    if (!contains(result.err, part)) return failure("without \"" + part + "\"");
  }
  return testing::AssertionSuccess();
}

}  // namespace plainformer
