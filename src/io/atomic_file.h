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
// The bytes go to temporary_path_of(path) first, and commit() renames that file. Without a commit, the
// destructor removes it. The next writer overwrites a file that a killed process left there. While one writer
// is at work, another writer of the same path is refused. A symbolic link at `path` is replaced, not
// followed.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::string_view bytes);  // unbuffered: pass large pieces
  // Renames the file. The bytes are on the disk when this returns. Call it once, and write nothing after it.
  // If only the sync of the folder fails, the new bytes are in place, but a power failure may bring the old
  // ones back: a line on standard error says so, once.
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

// Locks the folder at `path` until destroyed. The operating system keeps the lock on the folder itself, so
// that no file is left in it, and the lock ends with its process, even if that is killed. Only writers ask
// for the lock, and a second one is refused. If the file system cannot lock a folder, no writer is refused,
// and a line on standard error says so.
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

// ---- the input and output of commands, where the path "-" means standard output, and "" no output

// Throws unless standard input was read to its end (it may be a folder). Call it after the last line.
void check_input();

// Throws if no file can be written there. Call it before long work.
void require_writable(const std::string& path);

// Throws if writing the file would destroy an input.
void require_no_input(const std::string& path, const std::vector<std::string>& inputs);

// Writes a file completely or not at all, or standard output.
void write_output(const std::string& path, const std::string& text);

// Flushes standard output, and throws if not everything could be written (the disk may be full). Returns 0.
int finish_output();

}  // namespace plainformer
