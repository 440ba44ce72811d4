// Linux, macOS and other POSIX systems; also a browser, through Emscripten.
#ifndef _WIN32

#define _FILE_OFFSET_BITS 64  // files of 2 GiB and more, on 32-bit systems too

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#endif
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <thread>

#include "platform/platform.h"

namespace plainformer {

// --- the process ---

namespace {

std::string called_program = "plainformer";

}  // namespace

std::vector<std::string> start_program(int count, char** values) {
  std::signal(SIGXFSZ, SIG_IGN);
  if (count > 0) called_program = values[0];
  return std::vector<std::string>(values + std::min(1, count), values + count);
}

std::string program_as_called() {
  return called_program;
}

namespace {

std::atomic<int> noted_signal = 0;  // another thread may note it
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void note_signal(int signal) {
  const bool is_second = noted_signal.exchange(signal) != 0;
  std::signal(signal, is_second ? SIG_DFL : note_signal);
  if (is_second) std::raise(signal);
}

// A terminal that closes sends several of these, and each line to a closed pipe sends one.
extern "C" void note_lost_reader(int signal) {
  int none = 0;
  noted_signal.compare_exchange_strong(none, signal);
  std::signal(signal, note_lost_reader);
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, note_signal);
  std::signal(SIGTERM, note_signal);
}

void catch_lost_readers() {
  for (const int signal : {SIGHUP, SIGPIPE}) {
    if (std::signal(signal, note_lost_reader) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

int interrupt_signal() {
  return noted_signal;
}

int usable_processors([[maybe_unused]] const std::string& root) {
  int processors = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
#ifdef __linux__
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) processors = std::max(1, CPU_COUNT(&allowed));
  if (const double quota = processor_quota(root); quota < processors)
    processors = std::max(1, static_cast<int>(std::ceil(quota)));
#endif
  return processors;
}

double usable_memory_bytes() {
  double bytes = std::numeric_limits<double>::infinity();
#ifdef __APPLE__
  std::uint64_t size = 0;
  std::size_t length = sizeof(size);
  if (sysctlbyname("hw.memsize", &size, &length, nullptr, 0) == 0) bytes = static_cast<double>(size);
#else
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) bytes = static_cast<double>(pages) * static_cast<double>(page);
#endif
  return std::min(bytes, memory_quota());
}

double peak_resident_megabytes() {
  // Linux's getrusage would also count the program that started this one.
  std::ifstream status("/proc/self/status");  // has a line "VmHWM:\t   13564 kB"
  for (std::string word; status >> word;) {
    if (word != "VmHWM:") continue;
    double kilobytes = 0;
    status >> kilobytes;
    return kilobytes * 1024 / 1e6;
  }
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return static_cast<double>(usage.ru_maxrss) / 1e6;  // in bytes there
#else
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
#endif
}

// --- threads ---

void sleep_while(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  value.wait(old, std::memory_order_acquire);
}

void wake_sleepers(std::atomic<std::uint32_t>& value) {
  value.notify_all();
}

namespace {

struct CallAtEnd {
  void (*function)(void*);
  void* argument;
  ~CallAtEnd() { function(argument); }
};

}  // namespace

void at_end_of_thread(void (*function)(void*), void* argument) {
  thread_local const CallAtEnd call{function, argument};
}

// --- the terminal ---

bool is_terminal(int file) {
  return isatty(file) == 1;
}

int terminal_width(int file) {
  winsize size = {};
  const bool known = ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

bool understands_escapes(int file) {
  const char* const terminal = std::getenv("TERM");
  return is_terminal(file) && !(terminal != nullptr && std::string_view(terminal) == "dumb");
}

std::string end_of_input_keys() {
  return "Ctrl-D";
}

std::string quoted_for_shell(const std::string& argument) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./,:@%";
  if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos) return argument;
  std::string quoted = "'";
  for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// --- paths ---

std::filesystem::path to_path(const std::string& path) {
  return path;
}

std::string to_text(const std::filesystem::path& path) {
  return path.string();
}

// --- files ---

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) close(number_);
}

namespace {

constexpr std::size_t kMaxBytesPerCall = std::size_t{1} << 30;  // some systems refuse 2 GiB in one call

// Closes the file; errno is `reason`.
int refuse(int file, int reason) {
  close(file);
  errno = reason;
  return -1;
}

FileStatus status_of(const struct stat& status) {
  const FileKind kind = S_ISREG(status.st_mode)    ? FileKind::kRegular
                        : S_ISDIR(status.st_mode)  ? FileKind::kFolder
                        : S_ISFIFO(status.st_mode) ? FileKind::kPipe
                                                   : FileKind::kOther;
  return {kind, static_cast<std::int64_t>(status.st_size)};
}

// The result of a call, which is repeated as long as a signal interrupts it.
template <typename Call>
auto repeated(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace

int open_to_read(const std::string& path) {
  return open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

int open_to_write_alone(const std::string& path) {
  // O_NONBLOCK: an existing pipe of this name is an error, not a wait.
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (file < 0) return -1;
  // A lock ends with its process, so a file that a killed process left behind can be locked. Between open and
  // lock another writer may have renamed this very file; then it must not be written.
  const bool is_locked = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  struct stat opened;
  struct stat named;
  const bool still_named = fstat(file, &opened) == 0 && lstat(path.c_str(), &named) == 0 &&
                           opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
  return is_locked || !still_named ? refuse(file, EWOULDBLOCK) : file;
}

int lock_folder(const std::string& path) {
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return -1;
  if (flock(folder, LOCK_EX | LOCK_NB) == 0)
    errno = 0;
  else if (errno == EWOULDBLOCK)
    return refuse(folder, EWOULDBLOCK);
  return folder;
}

std::optional<FileStatus> file_status(int file) {
  struct stat status;
  if (fstat(file, &status) != 0) return std::nullopt;
  return status_of(status);
}

std::optional<FileStatus> file_status(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return status_of(status);
}

std::ptrdiff_t read_bytes(int file, char* bytes, std::size_t count) {
  while (true) {
    const std::ptrdiff_t got = repeated([&] { return read(file, bytes, std::min(count, kMaxBytesPerCall)); });
    if (got >= 0 || errno != EAGAIN) return got;
    wait_until_readable(file, /*milliseconds=*/-1);
  }
}

bool wait_until_readable(int file, int milliseconds) {
  pollfd request = {.fd = file, .events = POLLIN, .revents = 0};
  return poll(&request, 1, milliseconds) > 0;
}

std::ptrdiff_t write_bytes(int file, std::string_view bytes) {
  return repeated([&] { return write(file, bytes.data(), std::min(bytes.size(), kMaxBytesPerCall)); });
}

bool truncate_file(int file) {
  return ftruncate(file, 0) == 0;
}

bool sync_file(int file) {
#ifdef F_FULLFSYNC  // on macOS, fsync only hands the bytes to the drive, whose cache may lose them
  if (fcntl(file, F_FULLFSYNC) == 0) return true;  // else a file system without it
#endif
  return fsync(file) == 0;
}

bool replace_file(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str()) == 0;
}

bool sync_folder_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  const FileDescriptor folder(
      open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.number() < 0) return errno == EACCES;  // a folder that may be written but not read
  // Some file systems have nothing to sync in a folder, and answer EINVAL or ENOTSUP.
  return sync_file(folder.number()) || errno == EINVAL || errno == ENOTSUP;
}

bool remove_file(const std::string& path) {
  return unlink(path.c_str()) == 0;
}

}  // namespace plainformer

#endif
