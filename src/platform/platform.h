// The requests that this project makes of the operating system, beyond standard C++. posix.cpp,
// windows*.cpp and control_groups.cpp answer them. Nothing else in src/ includes a header of the system.
//
// Paths and arguments are UTF-8 on every system. A function that fails leaves the reason in errno.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plainformer {

// --- the process ---

// Prepares the process. Call it first in main, with main's parameters. Returns the arguments in UTF-8,
// without the program's name. From then on, files and pipes on the standard streams carry bytes unchanged,
// and a console carries UTF-8. A write beyond the limit on file sizes (ulimit -f) returns an error instead of
// ending the program.
std::vector<std::string> start_program(int count, char** values);

// The program as the user called it, such as "build/toy/plainformer", for a hint that can be pasted. Before
// start_program, "plainformer".
std::string program_as_called();

// Notes the first Ctrl-C or request to terminate, from now on, and does no more. A second one ends the
// program at once.
void catch_interrupts();

// Notes that a terminal or a pipe was closed (SIGHUP, SIGPIPE), however often, from now on, unless that was
// ignored so far (nohup). On Windows, catch_interrupts notes a console that closes, and a pipe sends no
// signal.
void catch_lost_readers();

// The number of the noted signal (SIGINT, SIGTERM, SIGHUP, SIGPIPE), or 0.
int interrupt_signal();

// The number of processors that this process may use: its affinity and, on Linux, processor_quota(). At
// least 1.
int usable_processors(const std::string& root = "");

// The processors' time that Linux's control groups (versions 1 and 2) allow this process, as a number of
// processors; a container has such a limit. Infinity if there is none. root: a folder to read instead of "/"
double processor_quota(const std::string& root = "");

// The main memory, in bytes, that this process may use: the machine's, or less if memory_quota() is less.
// Infinity if the system does not say.
double usable_memory_bytes();

// The memory, in bytes, that Linux's control groups (versions 1 and 2) allow this process. Infinity if there
// is no limit. root: a folder to read instead of "/"
double memory_quota(const std::string& root = "");

// The most main memory that the process has held at one time so far, in MB of 10^6 bytes.
double peak_resident_megabytes();

// --- threads (std::atomic::wait loses wake-ups in GNU's library for Windows) ---

// Sleeps until the value is no longer `old` and another thread wakes the sleepers. It may return before that,
// so check the value again.
void sleep_while(const std::atomic<std::uint32_t>& value, std::uint32_t old);

// Wakes the sleepers. Call it after each change of the value.
void wake_sleepers(std::atomic<std::uint32_t>& value);

// Calls `function(argument)` when the calling thread ends. Call it at most once in a thread. (GCC's
// thread_local objects are no replacement: on Windows, their memory is freed before their destructors run.)
void at_end_of_thread(void (*function)(void* argument), void* argument);

// --- the terminal ---

bool is_terminal(int file);

// Columns of the terminal; 80 if it is not a terminal or its width is unknown.
int terminal_width(int file);

// Does the terminal obey escape sequences (ECMA-48), such as those for color?
bool understands_escapes(int file);

// The keys that end the input at a terminal: "Ctrl-D", or "Ctrl-Z and Enter".
std::string end_of_input_keys();

// An argument as the user types it, with quotation marks where the system's shell needs them.
std::string quoted_for_shell(const std::string& argument);

// --- paths ---

// Paths from and to UTF-8. The standard library's own conversions do not take text as UTF-8 on Windows.
std::filesystem::path to_path(const std::string& path);
std::string to_text(const std::filesystem::path& path);  // with '/' between folders

// --- files: an open file is a number from 0, and -1 is a failure ---

// Owns an open file: the destructor closes it.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor();

  int number() const { return number_; }

 private:
  const int number_;  // negative: none
};

// Opens a file for reading. It never waits: a pipe without a writer opens at once.
int open_to_read(const std::string& path);

// Opens a file for writing. Creates it if there is none, and keeps the bytes of an old one. Follows no
// symbolic link, and fails at a pipe without waiting. While the file is open, further calls for it return -1
// and set EWOULDBLOCK, unless its file system has no locks.
int open_to_write_alone(const std::string& path);

// Locks a folder until the result is closed; -1 and EWOULDBLOCK if it is locked already. The lock keeps out
// only callers of this function. It ends with its process, even if that is killed, and leaves nothing in the
// folder. Where it cannot keep out other callers (a file system without locks; on Windows, another computer),
// errno holds the reason. Otherwise errno is 0.
int lock_folder(const std::string& path);

enum class FileKind { kRegular, kFolder, kPipe, kOther };  // kOther: a device; on Windows a pipe, too

struct FileStatus {
  FileKind kind = FileKind::kOther;
  std::int64_t bytes = 0;  // the size of a regular file
};

std::optional<FileStatus> file_status(int file);
std::optional<FileStatus> file_status(const std::string& path);  // follows a symbolic link

// Reads at most `count` bytes and returns their number; 0 at the end of the file. An interrupted call is
// repeated. It waits for a byte, even if another process has made the file non-blocking.
std::ptrdiff_t read_bytes(int file, char* bytes, std::size_t count);

// Waits for a byte, the end or an error. With a negative time it waits forever, or returns true at once and
// lets the read wait. False if nothing came before the time passed or a signal arrived.
bool wait_until_readable(int file, int milliseconds);

// Writes bytes and returns their number: at least 1, if the text is not empty.
std::ptrdiff_t write_bytes(int file, std::string_view bytes);

bool truncate_file(int file);  // to length 0
bool sync_file(int file);      // puts its bytes on the disk

// Renames a file. A file of the new name is replaced in one step: a program that opens it finds the old or
// the new one.
bool replace_file(const std::string& from, const std::string& to);

// Puts the names in the folder of `path` on the disk. True where this is not needed, or where the file system
// cannot do it.
bool sync_folder_of(const std::string& path);

bool remove_file(const std::string& path);

}  // namespace plainformer
