// The headers of POSIX: nothing else of the course includes a header of the system.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/personality.h>
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>
#include <thread>

#include "core/input_error.h"
#include "core/number_text.h"
#include "core/strings.h"
#include "process.h"

extern char** environ;

namespace plainformer::course {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kReportDescriptor = 3;
constexpr int kFirstOwnDescriptor = 10;  // ours stay clear of those that the child expects
constexpr int kLongestPauseMs = 16;

std::runtime_error start_error(const std::string& program) {
  return input_error(program, "cannot be started: " + std::string(std::strerror(errno)),
                     "is it installed, and is there memory for another process?");
}

// A child writes into it, and we read.
class Pipe {
 public:
  explicit Pipe(const std::string& program) {
    int ends[2];
    if (pipe(ends) < 0) throw start_error(program);
    reader_ = fcntl(ends[0], F_DUPFD_CLOEXEC, kFirstOwnDescriptor);
    writer_ = fcntl(ends[1], F_DUPFD_CLOEXEC, kFirstOwnDescriptor);
    for (const int end : ends) close(end);
    if (reader_ < 0 || writer_ < 0) throw start_error(program);
    fcntl(reader_, F_SETFL, O_NONBLOCK);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_writer();
    close(reader_);
  }

  int writer() const { return writer_; }
  void close_writer() {
    if (writer_ >= 0) close(writer_);
    writer_ = -1;
  }

  // Appends what is in the pipe, and drops what is beyond the limit. A child that prints forever fills it
  // again at once, so one call reads once.    Was there something?
  bool read_into(std::string& text) const {
    std::array<char, 65536> bytes;
    const ssize_t count = read(reader_, bytes.data(), bytes.size());
    if (count <= 0) return false;
    text.append(bytes.data(), std::min(static_cast<std::size_t>(count), kMostOutputBytes - text.size()));
    return true;
  }

 private:
  int reader_ = -1, writer_ = -1;
};

std::string found_in_path(const std::string& program) {
  if (program.find('/') != std::string::npos) return program;
  const char* const variable = std::getenv("PATH");
  for (const std::string& folder : split_at(':', variable ? variable : "/usr/bin:/bin"))
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return folder + "/" + program;
  return program;
}

// All that the child needs, made before the fork: between fork and exec it may not allocate memory, because
// another thread may hold the lock of the heap.
struct Launch {
  Launch(const std::vector<std::string>& command, const std::vector<std::string>& environment)
      : path(found_in_path(command.at(0))) {
    if (access(path.c_str(), X_OK) != 0) throw start_error(command[0]);
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    for (const std::string& variable : environment) variables.push_back(const_cast<char*>(variable.c_str()));
    for (char** variable = environ; *variable; ++variable) variables.push_back(*variable);
    words.push_back(nullptr);
    variables.push_back(nullptr);
  }
  void run() const { execve(path.c_str(), words.data(), variables.data()); }

  const std::string path;
  std::vector<char*> words, variables;
};

void limit(decltype(RLIMIT_CPU) resource, rlim_t most) {
  const rlimit both = {.rlim_cur = most, .rlim_max = most};
  setrlimit(resource, &both);
}

void set_limits(const Limits& limits) {
  limit(RLIMIT_CORE, 0);
  if (limits.cpu_seconds > 0) limit(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(limits.cpu_seconds)));
  if (limits.memory_mb > 0) limit(RLIMIT_AS, static_cast<rlim_t>(limits.memory_mb) << 20);
  if (limits.file_mb > 0) limit(RLIMIT_FSIZE, static_cast<rlim_t>(limits.file_mb) << 20);
  if (limits.no_files) {
    signal(SIGXFSZ, SIG_IGN);  // the write fails, and the program goes on
    limit(RLIMIT_FSIZE, 0);
  }
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // when we end: nobody watches the clock any more
  if (limits.fixed_addresses) personality(ADDR_NO_RANDOMIZE);
#endif
}

[[noreturn]] void become_child(const Launch& launch, const Limits& limits, const Pipe& output,
                               const Pipe& report) {
  setpgid(0, 0);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(output.writer(), STDOUT_FILENO);
  dup2(output.writer(), STDERR_FILENO);
  dup2(report.writer(), kReportDescriptor);
  for (const int number : {SIGPIPE, SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGXFSZ}) signal(number, SIG_DFL);
  set_limits(limits);
  launch.run();
  constexpr std::string_view kMessage = "it cannot be started\n";
  const ssize_t ignored = write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(ignored < 0 ? 126 : 127);
}

// It stays a zombie, so that nobody else gets the number of its group.
bool has_exited(pid_t id) {
  siginfo_t info = {};
  return waitid(P_PID, static_cast<id_t>(id), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == id;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command, const Limits& limits,
                          const std::vector<std::string>& environment) {
  // Step 1. Start it, in a group of its own. One thread at a time: a child of another thread must not inherit
  // our pipes.
  const Launch launch(command, environment);
  const Clock::time_point start_time = Clock::now();
  static std::mutex one_at_a_time;
  std::unique_lock<std::mutex> lock(one_at_a_time);
  Pipe output(command[0]), report(command[0]);
  const pid_t id = fork();
  if (id == 0) become_child(launch, limits, output, report);
  if (id < 0) throw start_error(command[0]);
  setpgid(id, id);  // as the child does: nobody knows who comes first
  output.close_writer();
  report.close_writer();
  lock.unlock();

  // Step 2. Read and wait, until it exits or its time is over. A pipe's end does not tell: a grandchild may
  // hold it.
  ProcessResult result;
  for (int pause = 1; !has_exited(id) && !result.waited;) {
    const bool has_read = output.read_into(result.output), has_report = report.read_into(result.report);
    pause = has_read || has_report ? 1 : std::min(2 * pause, kLongestPauseMs);
    std::this_thread::sleep_for(std::chrono::milliseconds(has_read || has_report ? 0 : pause));
    result.waited = limits.seconds > 0 && seconds_since(start_time) >= limits.seconds;
  }

  // Step 3. End what is left of the group, and read what it has left in the pipes: no more than they hold.
  kill(-id, SIGKILL);
  int status = 0;
  rusage usage = {};
  while (wait4(id, &status, 0, &usage) < 0 && errno == EINTR) continue;
  for (int reads = 0; reads < 64 && output.read_into(result.output); ++reads) continue;
  for (int reads = 0; reads < 64 && report.read_into(result.report); ++reads) continue;
  for (const timeval& time : {usage.ru_utime, usage.ru_stime})
    result.cpu_seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.seconds = seconds_since(start_time);
  const bool killed = result.signal == SIGXCPU || result.signal == SIGKILL;
  // The kernel's limit counts ticks of its clock, so it may come before the time is used up.
  const bool used_up = killed && limits.cpu_seconds > 0 && result.cpu_seconds >= limits.cpu_seconds / 2;
  result.timed_out = result.waited || used_up;
  return result;
}

std::string ProcessResult::ending() const {
  if (timed_out) return "stopped after " + general_text(std::round(seconds * 10) / 10, 6) + " s";
  if (signal != 0) return "signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  return "exit code " + std::to_string(exit_code);
}

bool may_be_the_machine(const ProcessResult& result) {
  // A program that computes has some of the processor's time, on the busiest machine. One that sleeps would
  // wait on any, and one that prints for ever waits for us, who read it.
  constexpr double kLeastShare = 0.02;
  const bool did_nothing = result.cpu_seconds < kLeastShare * result.seconds;
  const bool prints_for_ever = result.output.size() >= kMostOutputBytes;
  return (result.waited && !did_nothing && !prints_for_ever) ||
         (result.signal == SIGKILL && !result.timed_out);
}

void become_process(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
  Launch(command, environment).run();
  throw start_error(command[0]);
}

}  // namespace plainformer::course
