// Linux, macOS and other POSIX systems.
#ifndef _WIN32

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
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <string_view>
#include <utility>

#include "process.h"
#include "process/posix_pipes.h"

extern char** environ;

namespace plainformer::course {

namespace {

using posix::Conversation, posix::Pipe, posix::Pipes, posix::open_pipe, posix::start_error;
using Clock = std::chrono::steady_clock;

constexpr int kReportDescriptor = 3;
constexpr int kLongestPauseMs = 16;

// All that the child needs, made before the fork: between fork and exec it may not allocate memory, because
// another thread may hold the lock of the heap.
class Launch {
 public:
  Launch(const std::vector<std::string>& command, const std::vector<std::string>& environment,
         const Limits& limits)
      : path_(found_in_path(command.at(0))), limits_(limits) {
    for (const std::string& word : command) arguments_.push_back(const_cast<char*>(word.c_str()));
    arguments_.push_back(nullptr);
    for (const std::string& variable : environment)
      environment_.push_back(const_cast<char*>(variable.c_str()));
    for (char** variable = environ; *variable; ++variable)
      if (!is_replaced(*variable, environment)) environment_.push_back(*variable);
    environment_.push_back(nullptr);
  }

  // The number of the error, if it cannot be started.
  int become_program() const {
    execve(path_.c_str(), arguments_.data(), environment_.data());
    return errno;
  }

  [[noreturn]] void become_child(const Pipes& pipes) const {
    setpgid(0, 0);
    wait_to_be_known(pipes.known);
    dup2(pipes.input.reader.number(), STDIN_FILENO);
    dup2(pipes.output.writer.number(), STDOUT_FILENO);
    dup2(pipes.output.writer.number(), STDERR_FILENO);
    dup2(pipes.report.writer.number(), kReportDescriptor);
    reset_signals();
    set_limits();
    const int error = become_program();
    if (write(pipes.failure.writer.number(), &error, sizeof error) < 0) _exit(126);
    _exit(127);
  }

 private:
  // Nobody would end a child that works before we have noted its group. If we are gone, it ends.
  static void wait_to_be_known(const Pipe& known) {
    char byte = 0;
    close(known.writer.number());
    ssize_t count = 0;
    do count = read(known.reader.number(), &byte, 1);
    while (count < 0 && errno == EINTR);
    if (count != 1) _exit(126);
  }

  static std::string found_in_path(const std::string& program) {
    if (program.find('/') != std::string::npos) return program;
    const char* const variable = std::getenv("PATH");
    std::string_view rest = variable ? variable : "/usr/bin:/bin";
    while (!rest.empty()) {
      const std::size_t length = std::min(rest.find(':'), rest.size());
      const std::string path = std::string(rest.substr(0, length)) + "/" + program;
      if (access(path.c_str(), X_OK) == 0) return path;
      rest.remove_prefix(std::min(length + 1, rest.size()));
    }
    throw start_error(program, ENOENT);
  }

  static bool is_replaced(std::string_view variable, const std::vector<std::string>& environment) {
    const std::string_view name = variable.substr(0, variable.find('=') + 1);
    return std::any_of(environment.begin(), environment.end(),
                       [&](const std::string& other) { return other.starts_with(name); });
  }

  static void reset_signals() {
    for (const int number : {SIGPIPE, SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGXFSZ}) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
  }

  // Of so much that an rlim_t of 32 bits cannot hold it, there is no limit.
  static rlim_t bytes_of(long megabytes) {
    const auto most = static_cast<std::uintmax_t>(std::numeric_limits<rlim_t>::max()) >> 20;
    const auto number = static_cast<std::uintmax_t>(megabytes);
    return number > most ? RLIM_INFINITY : static_cast<rlim_t>(number << 20);
  }

  void set_limits() const {
    const auto limit = [](auto resource, rlim_t most) {
      const rlimit both = {.rlim_cur = most, .rlim_max = most};
      setrlimit(resource, &both);
    };
    limit(RLIMIT_CORE, 0);
    if (limits_.cpu_seconds > 0) limit(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(limits_.cpu_seconds)));
    if (limits_.memory_mb > 0) limit(RLIMIT_AS, bytes_of(limits_.memory_mb));
    if (limits_.file_mb > 0) limit(RLIMIT_FSIZE, bytes_of(limits_.file_mb));
    if (limits_.no_files) {
      signal(SIGXFSZ, SIG_IGN);  // the write fails, and the program goes on
      limit(RLIMIT_FSIZE, 0);
    }
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody watches the clock any more
    if (limits_.fixed_addresses) personality(ADDR_NO_RANDOMIZE);
#endif
  }

  const std::string path_;
  const Limits limits_;
  std::vector<char*> arguments_, environment_;
};

// The groups of the children that run. A handler of signals reads them, so they stand in a plain array.
constexpr std::size_t kMostGroups = 1024;
std::array<std::atomic<pid_t>, kMostGroups> running_groups;
static_assert(std::atomic<pid_t>::is_always_lock_free);

void replace_in_running_groups(pid_t old_id, pid_t new_id) {
  for (std::atomic<pid_t>& group : running_groups) {
    pid_t id = old_id;
    if (group.compare_exchange_strong(id, new_id)) return;
  }
}

void end_groups_then_us(int number) {
  for (const std::atomic<pid_t>& group : running_groups)
    if (const pid_t id = group; id > 0) kill(-id, SIGKILL);
  raise(number);  // SA_RESETHAND: now it ends this program
}

// A child in a process group of its own. The destructor ends the group, if nobody else did.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {
    setpgid(id, id);  // as the child does: nobody knows who comes first
    replace_in_running_groups(0, id);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (id_ > 0) end();
  }

  // It stays a zombie, so that nobody else gets the number of its group.
  bool has_exited() const {
    siginfo_t info = {};
    return waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == id_;
  }

  struct Ending {
    int status = 0;
    double cpu_seconds = 0;
    long peak_mb = 0;
  };

  // Kills what is left of the group.
  Ending end() {
    kill(-id_, SIGKILL);
    replace_in_running_groups(id_, 0);
    Ending ending;
    rusage usage = {};
    while (wait4(id_, &ending.status, 0, &usage) < 0 && errno == EINTR) continue;
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      ending.cpu_seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
#ifdef __APPLE__
    ending.peak_mb = usage.ru_maxrss >> 20;
#else
    ending.peak_mb = usage.ru_maxrss >> 10;
#endif
    id_ = 0;
    return ending;
  }

 private:
  pid_t id_;
};

// A write to a pipe that nobody reads ends a program, unless it blocks this signal. The signal goes to the
// thread that writes, so other threads need not know.
class BrokenPipesIgnored {
 public:
  BrokenPipesIgnored() {
    sigemptyset(&broken_pipe_);
    sigaddset(&broken_pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe_, &before_);
  }
  BrokenPipesIgnored(const BrokenPipesIgnored&) = delete;
  BrokenPipesIgnored& operator=(const BrokenPipesIgnored&) = delete;
  ~BrokenPipesIgnored() {
    sigset_t pending;
    int number = 0;
    if (!sigismember(&before_, SIGPIPE) && sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE))
      sigwait(&broken_pipe_, &number);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t broken_pipe_, before_;
};

// Starts the program and closes the child's ends of the pipes.
pid_t start(const Launch& launch, Pipes& pipes, const std::string& program) {
  const pid_t id = fork();
  if (id < 0) throw start_error(program, errno);
  if (id == 0) launch.become_child(pipes);
  pipes.input.reader.close();
  pipes.output.writer.close();
  pipes.report.writer.close();
  pipes.failure.writer.close();
  return id;
}

void wait_for_exec(const Pipes& pipes, const std::string& program) {
  int error = 0;
  ssize_t count = 0;
  do count = read(pipes.failure.reader.number(), &error, sizeof error);
  while (count < 0 && errno == EINTR);
  if (count == static_cast<ssize_t>(sizeof error)) throw start_error(program, error);
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command, const std::string& input,
                          const Limits& limits, const std::vector<std::string>& environment) {
  // Step 1. Start it. One thread at a time: a child of another thread must not inherit our ends of the pipes.
  const BrokenPipesIgnored broken_pipes_ignored;
  const Launch launch(command, environment, limits);
  const Clock::time_point start_time = Clock::now();
  static std::mutex one_at_a_time;
  std::unique_lock<std::mutex> lock(one_at_a_time);
  Pipes pipes = {.input = open_pipe(command[0]),
                 .output = open_pipe(command[0]),
                 .report = open_pipe(command[0]),
                 .failure = open_pipe(command[0]),
                 .known = open_pipe(command[0])};
  Child child(start(launch, pipes, command[0]));
  if (write(pipes.known.writer.number(), "", 1) != 1) throw start_error(command[0], errno);
  lock.unlock();
  wait_for_exec(pipes, command[0]);

  // Step 2. Write, read and wait, until it exits or its time is over. A pipe's end does not tell: a grandchild
  // may hold it.
  ProcessResult result;
  Conversation conversation(pipes, input, static_cast<std::size_t>(limits.output_bytes), result);
  int pause = 1;
  while (!child.has_exited()) {
    result.timed_out = limits.seconds > 0 && seconds_since(start_time) >= limits.seconds;
    if (result.timed_out) break;
    pause = conversation.go_on(pause) ? 1 : std::min(2 * pause, kLongestPauseMs);
  }

  // Step 3. End its grandchildren too.
  const auto [status, cpu_seconds, peak_mb] = child.end();
  conversation.read_the_rest();
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.seconds = seconds_since(start_time);
  result.cpu_seconds = cpu_seconds;
  result.peak_mb = peak_mb;
  result.waited = result.timed_out;
  const bool killed = result.signal == SIGXCPU || result.signal == SIGKILL;
  // The kernel's limit counts ticks of its clock, so it may come before the time is used up.
  result.timed_out |= killed && limits.cpu_seconds > 0 && cpu_seconds >= limits.cpu_seconds / 2;
  return result;
}

bool can_refuse_files() {
  return true;
}

bool can_limit_memory() {
#ifdef __APPLE__
  return false;
#else
  return true;
#endif
}

void end_processes_with_us() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now = {};
    if (sigaction(number, nullptr, &now) < 0 || now.sa_handler == SIG_IGN) continue;  // nohup
    struct sigaction action = {};
    action.sa_handler = end_groups_then_us;
    action.sa_flags = SA_RESETHAND;
    sigaction(number, &action, nullptr);
  }
}

std::string name_of_signal(int number) {
  return "signal " + std::to_string(number) + " (" + strsignal(number) + ")";
}

int become_process(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
  const int error = Launch(command, environment, {}).become_program();
  throw start_error(command[0], error);
}

std::string process_id() {
  return std::to_string(getpid());
}

std::string program_name(const std::string& name) {
  return name;
}

}  // namespace plainformer::course

#endif
