#include "io/atomic_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "core/check.h"
#include "core/input_error.h"

namespace plainformer {

namespace {

constexpr std::size_t kMaxBytesPerCall = std::size_t{1} << 30;  // some systems refuse 2 GiB in one call

std::string hint_for(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "free some space, or write to another disk";
    case EFBIG:
      return "raise the limit on the size of files (ulimit -f), or write to another disk";
    case EACCES:
    case EPERM:
    case EROFS:
      return "check the permissions, or choose another folder";
    case ENOENT:
    case ENOTDIR:
      return "check the path: each of its folders must exist";
    default:
      return "check the path and the disk";
  }
}

// Reports the failure of the last system call: call it before anything else can change errno.
[[noreturn]] void throw_system_error(const std::string& path, const std::string& problem) {
  const int error = errno;
  throw input_error(path, problem + ": " + std::generic_category().message(error), hint_for(error));
}

void require_regular_file(const std::string& path, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) throw input_error(path, "is a folder", "name a file");
  if (!S_ISREG(status.st_mode)) throw input_error(path, "is a pipe or a device", "name a regular file");
}

int open_temporary_file(const std::string& path, const std::string& temporary_path) {
  struct stat target;
  if (stat(path.c_str(), &target) == 0) require_regular_file(path, target);

  // O_NONBLOCK: an existing pipe of this name is an error, not a wait.
  const int flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const int file = open(temporary_path.c_str(), flags, 0666);
  if (file < 0) throw_system_error(temporary_path, "cannot be written");
  return file;
}

// A lock ends with its process, so a file that a killed process left behind can be locked. Between open and
// lock another writer may have renamed this very file to its final name; then it must not be written. On a
// file system without locks the file is written unlocked.
void lock_temporary_file(int file, const std::string& temporary_path) {
  const bool somebody_else = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  struct stat opened;
  struct stat named;
  const bool still_named = fstat(file, &opened) == 0 && lstat(temporary_path.c_str(), &named) == 0 &&
                           opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
  if (somebody_else || !still_named) {
    throw input_error(temporary_path, "is being written by somebody else",
                      "wait for the other writer, or write elsewhere");
  }
  require_regular_file(temporary_path, opened);
  if (ftruncate(file, 0) != 0) throw_system_error(temporary_path, "cannot be emptied");
}

// A rename changes the folder, and that change must reach the disk as well.
void sync_folder_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  const FileDescriptor folder(
      open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.number() < 0) {
    if (errno == EACCES) return;  // a folder that may be written but not read
    throw_system_error(path, "its folder cannot be opened");
  }
  // Some file systems have nothing to sync in a folder, and answer EINVAL.
  if (fsync(folder.number()) != 0 && errno != EINVAL)
    throw_system_error(path, "its folder cannot be synced to the disk");
}

}  // namespace

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) close(number_);
}

AtomicFile::AtomicFile(const std::string& path)
    : path_(path), temporary_path_(path + ".tmp"), file_(open_temporary_file(path, temporary_path_)) {
  lock_temporary_file(file_.number(), temporary_path_);
}

AtomicFile::~AtomicFile() {
  if (!committed_) unlink(temporary_path_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  CHECK(!committed_, path_, " is written after its commit");
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_.number(), bytes.data(), std::min(bytes.size(), kMaxBytesPerCall));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_system_error(path_, "cannot be written");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  CHECK(!committed_, path_, " is committed twice");
  // The bytes reach the disk before the name does, so that after a crash the name never refers to a
  // half-written file.
  if (fsync(file_.number()) != 0) throw_system_error(path_, "cannot be synced to the disk");
  if (std::rename(temporary_path_.c_str(), path_.c_str()) != 0)
    throw_system_error(path_, "cannot be replaced");
  committed_ = true;
  sync_folder_of(path_);
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

InputFile::InputFile(const std::string& path)
    : path_(path), file_(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
  if (file_.number() < 0) throw_system_error(path, "cannot be read");
  struct stat status;
  if (fstat(file_.number(), &status) != 0) throw_system_error(path, "cannot be read");
  require_regular_file(path, status);
  size_ = static_cast<Index>(status.st_size);
}

void InputFile::read(char* bytes, Index count) {
  while (count > 0) {
    const std::size_t wanted = std::min(static_cast<std::size_t>(count), kMaxBytesPerCall);
    const ssize_t got = ::read(file_.number(), bytes, wanted);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_system_error(path_, "cannot be read");
    if (got == 0)
      throw input_error(path_, "became shorter while it was read", "let its writer finish, then try again");
    bytes += got;
    count -= got;
  }
}

std::string read_file(const std::string& path, Index max_bytes) {
  InputFile file(path);
  if (file.size() > max_bytes) {
    throw input_error(path,
                      "has " + std::to_string(file.size()) + " bytes, more than the " +
                          std::to_string(max_bytes) + " allowed here",
                      "check that it is the right file");
  }
  std::string bytes(static_cast<std::size_t>(file.size()), '\0');
  file.read(bytes.data(), file.size());
  return bytes;
}

}  // namespace plainformer
