#include "process.h"

#include <fcntl.h>
#include <poll.h>
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
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>
#include <utility>

#include "core/input_error.h"

extern char** environ;

namespace plainformer::course {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kReportDescriptor = 3;
constexpr int kFirstOwnDescriptor = 10;  // ours stay clear of those that the child expects
constexpr long kDefaultOutputBytes = 1'000'000;
constexpr int kLongestPauseMs = 16;
constexpr int kMostLastReads = 64;  // a process that escaped may print forever

// Owns one end of a pipe.
class File {
 public:
  explicit File(int number = -1) : number_(number) {}
  File(File&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void do_not_wait() const { fcntl(number_, F_SETFL, O_NONBLOCK); }
  void close() {
    if (is_open()) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

std::runtime_error start_error(const std::string& program, int error) {
  return input_error(program, "cannot be started: " + std::string(std::strerror(error)),
                     "is it installed, and is there memory for another process?");
}

struct Pipe {
  File reader, writer;
};

Pipe open_pipe(const std::string& program) {
  int ends[2];
  if (pipe(ends) < 0) throw start_error(program, errno);
  const File first(ends[0]), second(ends[1]);
  const auto moved_up = [](int number) { return File(fcntl(number, F_DUPFD_CLOEXEC, kFirstOwnDescriptor)); };
  Pipe pipe = {.reader = moved_up(first.number()), .writer = moved_up(second.number())};
  if (!pipe.reader.is_open() || !pipe.writer.is_open()) throw start_error(program, errno);
  return pipe;
}

struct Pipes {
  Pipe input, output, report;
  Pipe failure;  // the number of the error if exec fails; closed if it succeeds
};

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

  [[noreturn]] void become_program(const Pipes& pipes) const {
    setpgid(0, 0);
    dup2(pipes.input.reader.number(), STDIN_FILENO);
    dup2(pipes.output.writer.number(), STDOUT_FILENO);
    dup2(pipes.output.writer.number(), STDERR_FILENO);
    dup2(pipes.report.writer.number(), kReportDescriptor);
    reset_signals();
    set_limits();
    execve(path_.c_str(), arguments_.data(), environment_.data());
    const int error = errno;
    if (write(pipes.failure.writer.number(), &error, sizeof error) < 0) _exit(126);
    _exit(127);
  }

 private:
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
    for (const int number : {SIGPIPE, SIGINT, SIGQUIT, SIGTERM, SIGHUP}) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
  }

  void set_limits() const {
    const auto limit = [](auto resource, rlim_t most) {
      const rlimit both = {.rlim_cur = most, .rlim_max = most};
      setrlimit(resource, &both);
    };
    limit(RLIMIT_CORE, 0);
    if (limits_.cpu_seconds > 0) limit(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(limits_.cpu_seconds)));
    if (limits_.memory_mb > 0) limit(RLIMIT_AS, static_cast<rlim_t>(limits_.memory_mb) << 20);
    if (limits_.file_mb > 0) limit(RLIMIT_FSIZE, static_cast<rlim_t>(limits_.file_mb) << 20);
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
  if (id == 0) launch.become_program(pipes);
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

// Our side of the conversation with a child: it never waits for one pipe while another one is full.
class Conversation {
 public:
  Conversation(Pipes& pipes, std::string_view input, std::size_t output_bytes, ProcessResult& result)
      : pipes_(pipes), input_(input), output_bytes_(output_bytes), result_(result) {
    pipes_.input.writer.do_not_wait();
    pipes_.output.reader.do_not_wait();
    pipes_.report.reader.do_not_wait();
    if (input_.empty()) pipes_.input.writer.close();
  }

  // Waits for something to do, for at most this time, and does it. Was there something?
  bool go_on(int milliseconds) {
    const auto polled = [](const File& file, short events) {
      return pollfd{.fd = file.number(), .events = events, .revents = 0};
    };
    std::array<pollfd, 3> files = {polled(pipes_.input.writer, POLLOUT), polled(pipes_.output.reader, POLLIN),
                                   polled(pipes_.report.reader, POLLIN)};
    if (poll(files.data(), files.size(), milliseconds) <= 0) return false;
    if (files[0].revents) write_input();
    if (files[1].revents) read_from(pipes_.output.reader, result_.output);
    if (files[2].revents) read_from(pipes_.report.reader, result_.report);
    return true;
  }

  // What is still in the pipes of a child that has ended.
  void read_the_rest() {
    for (int i = 0; i < kMostLastReads && read_from(pipes_.output.reader, result_.output); ++i) continue;
    for (int i = 0; i < kMostLastReads && read_from(pipes_.report.reader, result_.report); ++i) continue;
  }

 private:
  void write_input() {
    File& file = pipes_.input.writer;
    const ssize_t count = write(file.number(), input_.data(), input_.size());
    if (count > 0) input_.remove_prefix(static_cast<std::size_t>(count));
    const bool broken = count < 0 && errno != EAGAIN && errno != EINTR;
    if (broken || input_.empty()) file.close();
  }

  bool read_from(File& file, std::string& text) {
    if (!file.is_open()) return false;
    std::array<char, 65536> bytes;
    const ssize_t count = read(file.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) return true;
    if (count < 0 && errno == EAGAIN) return false;
    if (count <= 0) {
      file.close();
      return false;
    }
    text.append(bytes.data(), std::min(static_cast<std::size_t>(count), output_bytes_ - text.size()));
    return true;
  }

  Pipes& pipes_;
  std::string_view input_;
  const std::size_t output_bytes_;
  ProcessResult& result_;
};

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
                 .failure = open_pipe(command[0])};
  Child child(start(launch, pipes, command[0]));
  lock.unlock();
  wait_for_exec(pipes, command[0]);

  // Step 2. Write, read and wait, until it exits or its time is over. A pipe's end does not tell: a grandchild
  // may hold it.
  ProcessResult result;
  const long output_bytes = limits.output_bytes > 0 ? limits.output_bytes : kDefaultOutputBytes;
  Conversation conversation(pipes, input, static_cast<std::size_t>(output_bytes), result);
  int pause = 1;
  while (!child.has_exited()) {
    result.timed_out = limits.seconds > 0 && seconds_since(start_time) >= limits.seconds;
    if (result.timed_out) break;
    pause = conversation.go_on(pause) ? 1 : std::min(2 * pause, kLongestPauseMs);
  }

  // Step 3. End its grandchildren too.
  const auto [status, cpu_seconds] = child.end();
  conversation.read_the_rest();
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.seconds = seconds_since(start_time);
  const bool killed = result.signal == SIGXCPU || result.signal == SIGKILL;
  // The kernel's limit counts ticks of its clock, so it may come before the time is used up.
  result.timed_out |= killed && limits.cpu_seconds > 0 && cpu_seconds >= limits.cpu_seconds / 2;
  return result;
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

std::string ProcessResult::ending() const {
  if (timed_out) {
    char text[40];
    std::snprintf(text, sizeof text, "stopped after %g s", std::round(seconds * 10) / 10);
    return text;
  }
  if (signal != 0) return "signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  return "exit code " + std::to_string(exit_code);
}

}  // namespace plainformer::course
