// Runs the program `plainformer`, or another one, as its user does: arguments and standard input in; standard
// output, standard error and exit code out.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "io/temporary_folder.h"

namespace plainformer {

struct ProgramResult {
  std::string out, err;
  int exit_code = -1;  // 128 + the signal's number if one killed it
};

struct ProgramSetup {
  std::string input = {};        // its standard input
  std::string stdin_path = {};   // a file instead of that
  std::string stdout_path = {};  // where its output goes; "": to the result
  std::vector<std::pair<std::string, std::string>> environment = {};  // on top of our own
  rlim_t max_file_bytes = RLIM_INFINITY;                              // as by ulimit -f
  std::string program = PLAINFORMER_PROGRAM;                          // the file to run
};

// A running program. After two minutes it is stopped: a test may fail, but not hang.
class Program {
 public:
  explicit Program(const std::vector<std::string>& arguments, const ProgramSetup& setup = {}) {
    const std::string input = setup.stdin_path.empty() ? folder_.write("in", setup.input) : setup.stdin_path;
    const std::string out = setup.stdout_path.empty() ? folder_.path_of("out") : setup.stdout_path;
    const std::string err = folder_.path_of("err");
    std::vector<char*> values = {const_cast<char*>("plainformer")};
    for (const std::string& argument : arguments) values.push_back(const_cast<char*>(argument.c_str()));
    values.push_back(nullptr);

    process_ = fork();
    if (process_ < 0) throw std::runtime_error("cannot fork");
    if (process_ > 0) return;
    redirect(input, O_RDONLY, 0);
    redirect(out, O_WRONLY | O_CREAT | O_TRUNC, 1);
    redirect(err, O_WRONLY | O_CREAT | O_TRUNC, 2);
    for (const auto& [name, value] : setup.environment) setenv(name.c_str(), value.c_str(), 1);
    const rlimit limit = {.rlim_cur = setup.max_file_bytes, .rlim_max = RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    alarm(120);
    execv(setup.program.c_str(), values.data());
    _exit(127);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    if (process_ <= 0) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }

  void send(int signal) const { kill(process_, signal); }
  // The most memory that it has taken so far, in bytes.
  std::uintmax_t peak_memory() const {
    std::ifstream status("/proc/" + std::to_string(process_) + "/status");
    std::string word;
    while (status >> word && word != "VmHWM:") continue;
    std::uintmax_t kilobytes = 0;
    status >> kilobytes;
    return 1024 * kilobytes;
  }
  void lift_file_size_limit() const {
    const rlimit none = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    prlimit(process_, RLIMIT_FSIZE, &none, nullptr);
  }

  ProgramResult wait() {
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = 0;
    return {.out = folder_.read("out"),
            .err = folder_.read("err"),
            .exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status)};
  }

 private:
  static void redirect(const std::string& path, int flags, int to) {
    const int file = open(path.c_str(), flags, 0666);
    if (file < 0 || dup2(file, to) < 0) _exit(126);
    close(file);
  }

  TemporaryFolder folder_;
  pid_t process_ = 0;
};

inline ProgramResult run_program(const std::vector<std::string>& arguments, const ProgramSetup& setup = {}) {
  return Program(arguments, setup).wait();
}

// For what another process does in its own time: false if it has not happened after a minute.
inline bool wait_until(const std::function<bool()>& happened) {
  for (int i = 0; i < 6000 && !happened(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return happened();
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline std::ptrdiff_t count_lines(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

// The command failed with one line, "plainformer train: ... (hint: ...)", that has all the parts, and printed
// no result.
inline testing::AssertionResult failed_with_one_line(const ProgramResult& result, const std::string& command,
                                                     const std::vector<std::string>& parts,
                                                     int exit_code = 1) {
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
