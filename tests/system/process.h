// Other processes, which the tests start, watch and end. posix_process.cpp and windows_process.cpp answer.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plainformer {

using Variables = std::vector<std::pair<std::string, std::string>>;  // of the environment, with their values

// A signal that no process can catch: POSIX's SIGKILL. (SIGINT and SIGTERM are standard C++.)
inline constexpr int kKill = 9;
// Signals of POSIX: the terminal closes; the reader of a pipe ends.
inline constexpr int kHangUp = 1, kBrokenPipe = 13;

#ifdef PLAINFORMER_EMULATED
inline constexpr int kPatience = 10;  // times as slow as this machine
#else
inline constexpr int kPatience = 1;
#endif

struct ProgramSetup {
  std::string input = {};                          // text for its standard input (class Program), or
  std::string stdin_path = {};                     // a file; "": a pipe that takes what write_input() writes
  bool input_follows = false;                      // Program, too, is to take such a pipe
  std::string stdout_path = {}, stderr_path = {};  // files for its output; "": as ours
  Variables environment = {};                      // on top of our own
  bool takes_ctrl_c = false;  // send(SIGINT) needs it: on some systems a process then has its own console
  std::uintmax_t max_file_bytes = std::numeric_limits<std::uintmax_t>::max();  // if can_limit_file_sizes()
  int most_seconds = 120;    // times kPatience; then it is killed, because a test may fail, but not hang
  std::string program = {};  // a file, or a name that PATH finds; "": plainformer (class Program)
  std::vector<std::string> arguments = {};
  std::string folder = {};  // its current folder; "": ours
};

struct ProcessEnd {
  int exit_code = -1;  // 128 + the signal that ended it; 127 if there is no such program
  double cpu_seconds = 0;
};

// A running program.
class ChildProcess {
 public:
  explicit ChildProcess(const ProgramSetup& setup);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  // kills it if it still runs

  void write_input(std::string_view text);  // to the pipe that is its standard input
  void close_input();

  void send(int signal) const;         // SIGINT as Ctrl-C sends it, SIGTERM, or kKill
  std::uintmax_t peak_memory() const;  // the most main memory that it has held so far, in bytes
  bool lift_file_size_limit() const;   // false where the limit of another process is fixed

  ProcessEnd wait();

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

bool can_send(int signal);
bool can_limit_file_sizes();

// The file of the test program that is running.
std::string this_program();

// The file of a program that PATH finds; "" if there is none.
std::string program_in_path(const std::string& name);

// The names of the shared libraries that a program asks for; nullopt without readelf.
std::optional<std::vector<std::string>> libraries_of(const std::string& program);

// The action of a test program that one of its tests starts again, as another process. A constant at
// namespace scope registers itself. The result is the exit code.
//
//   const Role say_hello("say_hello", [](const std::vector<std::string>& arguments) { ...; return 0; });
//   ChildProcess process(as_role("say_hello", {"Ada"}));
class Role {
 public:
  using Play = std::function<int(const std::vector<std::string>& arguments)>;
  Role(const std::string& name, Play play);
};

ProgramSetup as_role(const std::string& name, const std::vector<std::string>& arguments = {});

// Its program and arguments; for a program of this build, the emulator first, if there is one.
std::vector<std::string> command_of(const ProgramSetup& setup);

}  // namespace plainformer
