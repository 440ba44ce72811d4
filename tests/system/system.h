// Services of the operating system for tests, by posix.cpp or windows.cpp. Nothing else in tests/ includes a
// header of the system. Paths, arguments and variables are UTF-8 on every system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "system/process.h"

namespace plainformer {

// --- the environment ---

// A variable of the environment. The destructor restores its value.
class EnvironmentVariable {
 public:
  explicit EnvironmentVariable(const std::string& name);
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;
  ~EnvironmentVariable();

  void set(const std::string& value) const;
  void unset() const;

 private:
  const std::string name_;
  std::optional<std::string> before_;
};

// The variables that make German the user's language, with a decimal comma; nullopt if that is impossible.
// Writes the files for it into the folder.
std::optional<Variables> german_language(const std::string& folder);

// --- pipes and terminals: an open file is a number from 0 ---

class Pipe {
 public:
  Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe();

  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_write_end();

 private:
  int ends_[2] = {-1, -1};
};

// A pipe with a name among the files, and without a writer: a program that waits for one hangs. Windows keeps
// all such pipes in one folder.
class NamedPipe {
 public:
  explicit NamedPipe(const std::string& path);
  NamedPipe(const NamedPipe&) = delete;
  NamedPipe& operator=(const NamedPipe&) = delete;
  ~NamedPipe();

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::vector<void*> instances_;  // on Windows, one for each time that it is opened
};

bool pipes_stand_in_any_folder();

// Not a regular file: /dev/zero, which has no end, or NUL, which is empty.
std::string device_to_read();

class PseudoTerminal {
 public:
  explicit PseudoTerminal(int columns);
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;
  ~PseudoTerminal();

  int file() const { return file_; }  // negative if there are no terminals here

  // The terminal as a file for a program's standard input and output; "" if there is none.
  const std::string& path() const { return path_; }
  void type(std::string_view keys) const;
  static constexpr const char* kEndOfInput = "\x04";  // the key Ctrl-D
  // Everything that the terminal has shown, typed lines included. Lines end in "\r\n".
  const std::string& shown();

 private:
  int file_ = -1;
  int other_end_ = -1;
  std::string path_, shown_;
};

// --- memory ---

// Lets this process take at most that many more bytes of address space. False if there is no such limit.
bool limit_memory(std::uintmax_t more_bytes);

std::uintmax_t stack_of_a_thread();

// Memory that ends before a page that cannot be read or written.
class GuardedMemory {
 public:
  explicit GuardedMemory(std::size_t bytes);
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;
  ~GuardedMemory();

  void* data() const { return data_; }

 private:
  std::size_t size_ = 0;  // of all pages
  char* pages_ = nullptr;
  void* data_ = nullptr;
};

// --- disks ---

// Sets the length of a file, which becomes sparse.
void stretch_file(const std::string& path, std::uintmax_t bytes);

enum class FailingCall { kNone, kWrite, kSyncOfFile, kSyncOfFolder, kLock };

// The calls that put files on the disk during the action, in order: "sync file", "rename", "sync folder".
// nullopt if the calls cannot be watched. The failing call answers EIO, but a write ENOSPC and a lock ENOLCK.
std::optional<std::vector<std::string>> disk_calls_of(const std::function<void()>& action,
                                                      FailingCall failing = FailingCall::kNone);

// May a path be any bytes? Otherwise, it is UTF-8.
bool paths_may_be_any_bytes();

// Can an open file be replaced? (Wine 8 cannot do what Windows 10 does.)
bool replaces_open_files();

}  // namespace plainformer
