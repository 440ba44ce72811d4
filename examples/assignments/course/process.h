// Runs a program as a process of its own, within limits (Linux, macOS and other POSIX systems).
#pragma once

#include <string>
#include <vector>

namespace plainformer::course {

// macOS does not limit memory.
struct Limits {
  double seconds = 0;      // wall clock; 0: none. The process is killed, with its group
  double cpu_seconds = 0;  // of all its threads together, rounded up to a whole number; 0: none
  long memory_mb = 0;  // address space; 0: none. (Programs with sanitizers need another limit: ASAN_OPTIONS)
  long file_mb = 0;    // a file that it writes has no more; 0: no limit
  bool no_files = false;         // writes to files fail (RLIMIT_FSIZE 0)
  bool fixed_addresses = false;  // not random ones, with which older sanitizers may not start (Linux)
};

inline constexpr std::size_t kMostOutputBytes = 1'000'000;

struct ProcessResult {
  int exit_code = -1;       // if it exited
  int signal = 0;           // that ended it, else 0
  bool timed_out = false;   // by either clock
  bool waited = false;      // by that of the wall: it may have waited for a processor
  std::string output = {};  // the first bytes of stdout and stderr, in the order of their arrival
  std::string report = {};  // and of what it wrote to file descriptor 3
  double seconds = 0;
  double cpu_seconds = 0;  // of the processors, with its children

  bool succeeded() const { return exit_code == 0 && signal == 0 && !timed_out; }
  std::string ending() const;  // "exit code 3", "signal 11 (Segmentation fault)", "stopped after 5 s"
};

// command[0] is searched in PATH. Its stdin is empty. On Linux it ends with us; otherwise at its limits, for
// a terminal's Ctrl-C does not reach its group.    std::runtime_error if it cannot be started
//   environment   "NAME=value", in front of ours: the first one of a name counts
// Several threads may call it at once.
ProcessResult run_process(const std::vector<std::string>& command, const Limits& limits = {},
                          const std::vector<std::string>& environment = {});

// Becomes another program: its terminal, its signals and its exit code are the program's.
// std::runtime_error if it cannot be started
[[noreturn]] void become_process(const std::vector<std::string>& command,
                                 const std::vector<std::string>& environment);

// Had it to wait for a processor, or did the system end it? Then it may not be its own fault.
bool may_be_the_machine(const ProcessResult& result);

}  // namespace plainformer::course
