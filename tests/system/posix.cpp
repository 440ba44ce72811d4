// Linux, macOS and other POSIX systems.
#ifndef _WIN32

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "system/system.h"

namespace plainformer {

namespace {

void require(bool succeeded, const std::string& what) {
  if (!succeeded) throw std::runtime_error("cannot " + what);
}

}  // namespace

// --- the environment ---

void EnvironmentVariable::set(const std::string& value) const {
  setenv(name_.c_str(), value.c_str(), 1);
}

void EnvironmentVariable::unset() const {
  unsetenv(name_.c_str());
}

std::optional<Variables> german_language(const std::string& folder) {
  const std::string make = "localedef -i de_DE -f UTF-8 '" + folder + "/de_DE.UTF-8' 2> /dev/null";
  const std::string ask = "LOCPATH='" + folder + "' LC_ALL=de_DE.UTF-8 locale decimal_point | grep -qx ,";
  if (std::system(make.c_str()) != 0) return std::nullopt;
  require(std::system(ask.c_str()) == 0, "take German as the language");
  return Variables{{"LOCPATH", folder}, {"LC_ALL", "de_DE.UTF-8"}};
}

// --- pipes and terminals ---

Pipe::Pipe() {
  require(pipe(ends_) == 0, "make a pipe");
}

Pipe::~Pipe() {
  close(ends_[0]);
  close_write_end();
}

void Pipe::close_write_end() {
  if (ends_[1] >= 0) close(ends_[1]);
  ends_[1] = -1;
}

NamedPipe::NamedPipe(const std::string& path) : path_(path) {
  require(mkfifo(path.c_str(), 0600) == 0, "make the pipe " + path);
}

NamedPipe::~NamedPipe() {
  unlink(path_.c_str());
}

bool pipes_stand_in_any_folder() {
  return true;
}

std::string device_to_read() {
  return "/dev/zero";
}

PseudoTerminal::PseudoTerminal(int columns) : other_end_(posix_openpt(O_RDWR | O_NOCTTY)) {
  if (other_end_ < 0 || grantpt(other_end_) != 0 || unlockpt(other_end_) != 0) return;
  path_ = ptsname(other_end_);
  file_ = open(path_.c_str(), O_RDWR | O_NOCTTY);
  winsize size = {};
  size.ws_col = static_cast<unsigned short>(columns);
  require(ioctl(file_, TIOCSWINSZ, &size) == 0, "size a terminal");
}

PseudoTerminal::~PseudoTerminal() {
  if (file_ >= 0) close(file_);
  if (other_end_ >= 0) close(other_end_);
}

void PseudoTerminal::type(std::string_view keys) const {
  require(write(other_end_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size()), "type");
}

const std::string& PseudoTerminal::shown() {
  char bytes[4096];
  pollfd ready = {.fd = other_end_, .events = POLLIN, .revents = 0};
  while (poll(&ready, 1, /*milliseconds=*/0) > 0) {
    const ssize_t count = read(other_end_, bytes, sizeof(bytes));
    if (count <= 0) break;
    shown_.append(bytes, static_cast<std::size_t>(count));
  }
  return shown_;
}

// --- memory ---

bool limit_memory(std::uintmax_t more_bytes) {
  rlim_t pages = 0;
  if (!(std::ifstream("/proc/self/statm") >> pages)) return false;
  const rlim_t bytes = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + static_cast<rlim_t>(more_bytes);
  const rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
  rlimit now = {};  // an emulator may ignore the limit
  return setrlimit(RLIMIT_AS, &limit) == 0 && getrlimit(RLIMIT_AS, &now) == 0 && now.rlim_cur == bytes;
}

std::uintmax_t stack_of_a_thread() {
  pthread_attr_t attributes;
  std::size_t bytes = 0;
  pthread_attr_init(&attributes);
  pthread_attr_getstacksize(&attributes, &bytes);
  pthread_attr_destroy(&attributes);
  return bytes;
}

GuardedMemory::GuardedMemory(std::size_t bytes) {
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  size_ = (bytes / page + 2) * page;
  void* const pages = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  require(pages != MAP_FAILED, "map memory");
  pages_ = static_cast<char*>(pages);
  require(mprotect(pages_ + size_ - page, page, PROT_NONE) == 0, "protect memory");
  data_ = pages_ + size_ - page - bytes;
}

GuardedMemory::~GuardedMemory() {
  munmap(pages_, size_);
}

// --- disks ---

void stretch_file(const std::string& path, std::uintmax_t bytes) {
  std::filesystem::resize_file(path, bytes);
}

namespace {

std::vector<std::string>* watched_calls = nullptr;
[[maybe_unused]] FailingCall failing_call = FailingCall::kNone;

}  // namespace

std::optional<std::vector<std::string>> disk_calls_of(const std::function<void()>& action,
                                                      FailingCall failing) {
#ifndef __linux__
  return std::nullopt;
#endif
  std::vector<std::string> calls;
  watched_calls = &calls;
  failing_call = failing;
  try {
    action();
  } catch (...) {
    watched_calls = nullptr;
    throw;
  }
  watched_calls = nullptr;
  return calls;
}

bool paths_may_be_any_bytes() {
#ifdef __APPLE__
  return false;
#else
  return true;
#endif
}

bool replaces_open_files() {
  return true;
}

}  // namespace plainformer

#ifdef __linux__

// Replace the functions of the C library, so that calls can be noted and can fail.
extern "C" ssize_t write(int file, const void* bytes, std::size_t count) {
  const bool fails =
      plainformer::watched_calls && plainformer::failing_call == plainformer::FailingCall::kWrite;
  if (fails) errno = ENOSPC;
  return fails ? -1 : syscall(SYS_write, file, bytes, count);
}

extern "C" int fsync(int file) {
  using namespace plainformer;
  if (watched_calls) {
    struct stat status = {};
    fstat(file, &status);
    const bool is_folder = S_ISDIR(status.st_mode);
    watched_calls->push_back(is_folder ? "sync folder" : "sync file");
    if (failing_call == (is_folder ? FailingCall::kSyncOfFolder : FailingCall::kSyncOfFile)) {
      errno = EIO;
      return -1;
    }
  }
  return static_cast<int>(syscall(SYS_fsync, file));
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // there is a struct of this name
extern "C" int flock(int file, int operation) noexcept {
  using namespace plainformer;
  const bool fails = watched_calls && failing_call == FailingCall::kLock;
  if (fails) errno = ENOLCK;
  return fails ? -1 : static_cast<int>(syscall(SYS_flock, file, operation));
}
#pragma GCC diagnostic pop

extern "C" int rename(const char* from, const char* to) noexcept {
  if (plainformer::watched_calls) plainformer::watched_calls->push_back("rename");
  return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

#endif

#endif
