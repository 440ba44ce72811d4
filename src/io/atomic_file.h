// Files that are written completely or not at all, untrusted files that are read, a lock that lets one writer
// at a time into a folder, and the input and output of commands.
//
// Every failure is an input_error that names the file, repeats the system's message, and suggests a remedy.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/real.h"
#include "platform/platform.h"

namespace plainformer {

// The file that takes the bytes for `path` until they are complete: `path`.plainformer.tmp, which no other
// program uses.
std::string temporary_path_of(const std::string& path);

// Replaces the file at `path` in one step: a reader, at any moment and even after a crash or a full disk,
// finds either all of the old bytes or all of the new ones.
//
// The bytes go to temporary_path_of(path) first, and commit() renames that file. The destructor removes it
// without one. If a killed process left one behind, the next writer overwrites it. While one writer is at
// work, another writer of the same path is refused. A symbolic link at `path` is replaced, not followed.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::string_view bytes);  // unbuffered: pass large pieces
  // Renames the file. The bytes are on the disk when this returns. Call it once, and write nothing after it.
  // If only the sync of the folder fails, the new bytes are in place, though a power failure may bring the
  // old ones back: a line on standard error says so, once.
  void commit();

 private:
  const std::string path_;
  const std::string temporary_path_;
  const FileDescriptor file_;
  bool committed_ = false;
};

void write_file_atomically(const std::string& path, std::string_view bytes);

// A regular file, read from the front. Refuses folders, devices and pipes without waiting for them.
class InputFile {
 public:
  explicit InputFile(const std::string& path);

  const std::string& path() const { return path_; }
  Index size() const { return size_; }  // in bytes, when it was opened
  void read(char* bytes, Index count);  // the next `count` bytes

 private:
  const std::string path_;
  const FileDescriptor file_;
  Index size_ = 0;
};

// Reads a whole file. One of more than `max_bytes` is refused before anything is allocated.
std::string read_file(const std::string& path, Index max_bytes);

// Locks the folder at `path` until destroyed. The operating system keeps the lock, on the folder itself: no
// file is left in it, and the lock ends with its process, even with a killed one. Only others that ask for
// the lock are refused; readers never ask. Where a file system cannot lock a folder, no writer is refused,
// which a line on standard error says.
class FolderLock {
 public:
  // `others` describes the possible holder: input_error "path: <others> is writing into this folder" if the
  // lock is taken.
  FolderLock(const std::string& path, const std::string& others);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  const FileDescriptor folder_;
};

// ---- what commands read from standard input and write, to standard output or to a file

// Throws std::runtime_error if standard input did not end but could not be read (it may be a folder). Call it
// after the last line.
void check_input();

// Throws std::runtime_error if a file cannot be written there, for use before long work. "-" and "" are
// writable.
void require_writable(const std::string& path);

// Throws std::runtime_error if writing the file would destroy an input. "-" and "" destroy none.
void require_no_input(const std::string& path, const std::vector<std::string>& inputs);

// Writes a file completely or not at all; "-" is standard output. std::runtime_error if it cannot.
void write_output(const std::string& path, const std::string& text);

// Flushes standard output. std::runtime_error if not everything could be written (the disk may be full).
// Returns 0.
int finish_output();

}  // namespace plainformer
