// Linux, macOS and other POSIX systems.
#ifndef _WIN32

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __APPLE__
#include <libproc.h>
#include <mach-o/dyld.h>
#endif

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "support/pattern.h"
#include "system/process.h"

extern "C" char** environ;

namespace plainformer {

struct ChildProcess::State {
  pid_t process = 0;
  int input = -1;
};

namespace {

void ensure(bool succeeded, const std::string& what) {
  if (!succeeded) throw std::runtime_error("cannot " + what);
}

// Hides it from children.
void keep_for_us(int file) {
  fcntl(file, F_SETFD, FD_CLOEXEC);
}

// The texts as the system takes them: pointers, and a null pointer at the end.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const Variables& more) {
  std::vector<std::string> all;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string text = *each, name = text.substr(0, text.find('='));
    bool replaced = false;
    for (const auto& variable : more) replaced |= variable.first == name;
    if (!replaced) all.push_back(text);
  }
  for (const auto& [name, value] : more) all.push_back(name + "=" + value);
  return all;
}

// In the child, before its program starts. Without a path, nothing is changed.
void redirect(const std::string& path, int flags, int to) {
  if (path.empty()) return;
  const int file = open(path.c_str(), flags, 0666);
  if (file < 0 || dup2(file, to) < 0) _exit(126);
  close(file);
}

[[noreturn]] void become(const ProgramSetup& setup, const std::string& program, char** command,
                         char** environment) {
  redirect(setup.stdin_path, O_RDONLY, 0);
  redirect(setup.stdout_path, O_WRONLY | O_CREAT | O_TRUNC, 1);
  redirect(setup.stderr_path, O_WRONLY | O_CREAT | O_TRUNC, 2);
  if (!setup.folder.empty() && chdir(setup.folder.c_str()) != 0) _exit(126);
  if (setup.max_file_bytes != std::numeric_limits<std::uintmax_t>::max()) {
    const rlimit limit = {.rlim_cur = static_cast<rlim_t>(setup.max_file_bytes), .rlim_max = RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  alarm(static_cast<unsigned>(setup.most_seconds * kPatience));
  execve(program.c_str(), command, environment);
  _exit(127);
}

}  // namespace

ChildProcess::ChildProcess(const ProgramSetup& setup) : state_(std::make_unique<State>()) {
  std::vector<std::string> command = command_of(setup), variables = environment_with(setup.environment);
  const std::vector<char*> command_pointers = pointers_to(command), environment = pointers_to(variables);
  const bool by_path = command[0].find('/') != std::string::npos;
  const std::string program = by_path ? command[0] : program_in_path(command[0]);
  int ends[2] = {-1, -1};
  if (setup.stdin_path.empty()) {
    ensure(pipe(ends) == 0, "make a pipe");
    keep_for_us(ends[0]);
    keep_for_us(ends[1]);
  }
  state_->input = ends[1];
  state_->process = fork();
  ensure(state_->process >= 0, "fork");
  if (state_->process == 0) {
    if (setup.stdin_path.empty() && dup2(ends[0], 0) < 0) _exit(126);
    become(setup, program, const_cast<char**>(command_pointers.data()),
           const_cast<char**>(environment.data()));
  }
  if (setup.stdin_path.empty()) close(ends[0]);
}

ChildProcess::~ChildProcess() {
  close_input();
  if (state_->process <= 0) return;
  send(kKill);
  waitpid(state_->process, nullptr, 0);
}

void ChildProcess::write_input(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(state_->input, text.data(), text.size());
    ensure(written > 0, "write to a program");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void ChildProcess::close_input() {
  if (state_->input >= 0) close(state_->input);
  state_->input = -1;
}

void ChildProcess::send(int signal) const {
  kill(state_->process, signal);
}

std::uintmax_t ChildProcess::peak_memory() const {
#ifdef __APPLE__
  rusage_info_v4 usage = {};
  proc_pid_rusage(state_->process, RUSAGE_INFO_V4, reinterpret_cast<rusage_info_t*>(&usage));
  return usage.ri_lifetime_max_phys_footprint;
#else
  std::ifstream status("/proc/" + std::to_string(state_->process) + "/status");
  std::string word;
  while (status >> word && word != "VmHWM:") continue;
  std::uintmax_t kilobytes = 0;
  status >> kilobytes;
  return 1024 * kilobytes;
#endif
}

bool ChildProcess::lift_file_size_limit() const {
#ifdef __linux__
  const rlimit none = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
  return prlimit(state_->process, RLIMIT_FSIZE, &none, nullptr) == 0;
#else
  return false;
#endif
}

ProcessEnd ChildProcess::wait() {
  close_input();
  int status = 0;
  rusage usage = {};
  wait4(state_->process, &status, 0, &usage);
  state_->process = 0;
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
          .cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime)};
}

bool can_send(int /*signal*/) {
  return true;
}

bool can_limit_file_sizes() {
  return true;
}

std::string this_program() {
#ifdef __APPLE__
  std::array<char, 4096> path = {};
  std::uint32_t size = path.size();
  ensure(_NSGetExecutablePath(path.data(), &size) == 0, "find this program");
  return path.data();
#else
  return std::filesystem::read_symlink("/proc/self/exe").string();
#endif
}

std::string program_in_path(const std::string& name) {
  const char* const value = std::getenv("PATH");
  std::string path = value != nullptr ? value : "";
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    const std::string candidate = path.substr(0, end) + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    path.erase(0, end + 1);
  }
  return "";
}

std::optional<std::vector<std::string>> libraries_of(const std::string& program) {
  if (program_in_path("readelf").empty()) return std::nullopt;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("readelf -d '" + program + "'").c_str(), "r"),
                                                   pclose);
  std::string output;
  std::array<char, 4096> buffer;
  while (pipe && std::fgets(buffer.data(), buffer.size(), pipe.get())) output += buffer.data();
  static const Pattern needed("\\(NEEDED\\)[^\\[]*\\[([^\\]]+)\\]");
  std::vector<std::string> libraries;
  for (const Match& match : needed.all_in(output)) libraries.push_back(match.groups[1]);
  return libraries;
}

}  // namespace plainformer

#endif
