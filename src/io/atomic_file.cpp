#include "io/atomic_file.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <utility>

#include "core/check.h"
#include "core/input_error.h"

namespace plainformer {

namespace {

std::string hint_for(int error) {
  switch (error) {
    case ENOSPC:
#ifdef EDQUOT  // not in standard C++
    case EDQUOT:
#endif
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

void require_regular_file(const std::string& path, const FileStatus& status) {
  if (status.kind == FileKind::kFolder) throw input_error(path, "is a folder", "name a file");
  if (status.kind != FileKind::kRegular)
    throw input_error(path, "is a pipe or a device", "name a regular file");
}

int open_temporary_file(const std::string& path, const std::string& temporary_path) {
  if (const std::optional<FileStatus> target = file_status(path)) require_regular_file(path, *target);
  const int file = open_to_write_alone(temporary_path);
  if (file >= 0) return file;
  if (errno == EWOULDBLOCK) {
    throw input_error(temporary_path, "is being written by somebody else",
                      "wait for the other writer, or write elsewhere");
  }
  throw_system_error(temporary_path, "cannot be written");
}

void warn_once_of_folder(const std::string& path, int error) {
  static std::atomic<bool> has_warned = false;
  if (has_warned.exchange(true)) return;
  std::cerr << path << ": was written, but its folder cannot be synced to the disk: "
            << std::generic_category().message(error)
            << " (hint: a power failure may bring the old file back)\n";
}

FileStatus status_of_open_file(const std::string& path, int file) {
  const std::optional<FileStatus> status = file_status(file);
  if (!status) throw_system_error(path, "cannot be read");
  require_regular_file(path, *status);
  return *status;
}

}  // namespace

std::string temporary_path_of(const std::string& path) {
  return path + ".plainformer.tmp";
}

AtomicFile::AtomicFile(const std::string& path)
    : path_(path),
      temporary_path_(temporary_path_of(path)),
      file_(open_temporary_file(path, temporary_path_)) {
  status_of_open_file(temporary_path_, file_.number());
  if (!truncate_file(file_.number())) throw_system_error(temporary_path_, "cannot be emptied");
}

AtomicFile::~AtomicFile() {
  if (!committed_) remove_file(temporary_path_);
}

void AtomicFile::write(std::string_view bytes) {
  CHECK(!committed_, path_, " is written after its commit");
  while (!bytes.empty()) {
    const std::ptrdiff_t written = write_bytes(file_.number(), bytes);
    if (written < 0) throw_system_error(path_, "cannot be written");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  CHECK(!committed_, path_, " is committed twice");
  // The bytes reach the disk before the name does, so that after a crash the name never means a half-written
  // file.
  if (!sync_file(file_.number())) throw_system_error(path_, "cannot be synced to the disk");
  if (!replace_file(temporary_path_, path_)) throw_system_error(path_, "cannot be replaced");
  committed_ = true;
  // The rename changes the folder, and that change must reach the disk, too.
  if (!sync_folder_of(path_)) warn_once_of_folder(path_, errno);
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

InputFile::InputFile(const std::string& path) : path_(path), file_(open_to_read(path)) {
  if (file_.number() < 0) throw_system_error(path, "cannot be read");
  const std::int64_t bytes = status_of_open_file(path, file_.number()).bytes;
  if (!std::in_range<Index>(bytes)) {
    throw input_error(path, "has " + std::to_string(bytes) + " bytes, more than a 32-bit program can read",
                      "use a 64-bit build of plainformer");
  }
  size_ = static_cast<Index>(bytes);
}

void InputFile::read(char* bytes, Index count) {
  while (count > 0) {
    const std::ptrdiff_t got = read_bytes(file_.number(), bytes, static_cast<std::size_t>(count));
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

FolderLock::FolderLock(const std::string& path, const std::string& others) : folder_(lock_folder(path)) {
  if (folder_.number() >= 0) {
    if (errno != 0)
      std::cerr << path << ": cannot be locked: " << std::generic_category().message(errno)
                << " (hint: take care that " << others << " does not write into it at the same time)\n";
    return;
  }
  if (errno == EWOULDBLOCK) {
    throw input_error(path, others + " is writing into this folder",
                      "wait until it is done, or choose another folder");
  }
  throw input_error(path, "cannot be opened: " + std::generic_category().message(errno),
                    "it must be a folder that you may read");
}

// ---- the input and output of commands

void check_input() {
  if (!std::cin.bad() && std::ferror(stdin) == 0) return;
  throw input_error("standard input", "cannot be read to its end", "is it a folder?");
}

void require_writable(const std::string& path) {
  if (path.empty() || path == "-") return;
  const AtomicFile not_committed(path);  // so it leaves nothing behind
}

void require_no_input(const std::string& path, const std::vector<std::string>& inputs) {
  if (path.empty() || path == "-") return;
  for (const std::string& input : inputs) {
    for (const std::string& written : {path, temporary_path_of(path)}) {
      std::error_code error;  // set if one of them does not exist; then they are not the same
      if (!std::filesystem::equivalent(to_path(written), to_path(input), error)) continue;
      throw input_error(path, "would replace " + input + ", which is read", "write to another file");
    }
  }
}

void write_output(const std::string& path, const std::string& text) {
  if (path == "-")
    std::cout << text;
  else
    write_file_atomically(path, text);
}

int finish_output() {
  std::cout.flush();
  if (!std::cout)
    throw input_error("standard output", "not everything could be written", "is the disk full?");
  return 0;
}

}  // namespace plainformer
