// Windows: files.
#ifdef _WIN32

#include "platform/windows_support.h"
// The header above comes first.
#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "platform/platform.h"

namespace plainformer {

namespace {

constexpr DWORD kMaxBytesPerCall = 1 << 30;
constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

int errno_of(DWORD error) {
  switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
    case ERROR_INVALID_DRIVE:
    case ERROR_NOT_READY:
      return ENOENT;
    case ERROR_FILENAME_EXCED_RANGE:
      return ENAMETOOLONG;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_NETWORK_ACCESS_DENIED:
      return EACCES;
    case ERROR_WRITE_PROTECT:
      return EROFS;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      return ENOSPC;
    case ERROR_FILE_TOO_LARGE:
      return EFBIG;
    case ERROR_TOO_MANY_OPEN_FILES:
      return EMFILE;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
      return ENOMEM;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA:
    case ERROR_PIPE_NOT_CONNECTED:
      return EPIPE;
    case ERROR_INVALID_HANDLE:
      return EBADF;
    case ERROR_DIRECTORY:
      return ENOTDIR;
    default:
      return EIO;
  }
}

int fail(int reason) {
  errno = reason;
  return -1;
}

int fail_as_system() {
  return fail(errno_of(GetLastError()));
}

bool succeeded(BOOL success) {
  if (!success) fail_as_system();
  return success != 0;
}

// Owns a handle.
class Handle {
 public:
  explicit Handle(HANDLE handle) : handle_(handle) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (is_open()) CloseHandle(handle_);
  }

  bool is_open() const { return handle_ != INVALID_HANDLE_VALUE; }
  HANDLE get() const { return handle_; }

  // Gives the handle away: the number of the open file.
  int to_file() {
    const int file = _open_osfhandle(reinterpret_cast<std::intptr_t>(handle_), _O_BINARY);
    if (file >= 0) handle_ = INVALID_HANDLE_VALUE;
    return file;
  }

 private:
  HANDLE handle_;
};

std::wstring absolute_path(const std::string& path) {
  const std::wstring given = to_utf16(path);
  std::wstring absolute(GetFullPathNameW(given.c_str(), 0, nullptr, nullptr), L'\0');
  absolute.resize(
      GetFullPathNameW(given.c_str(), static_cast<DWORD>(absolute.size()), absolute.data(), nullptr));
  return absolute;
}

Handle open_path(const std::string& path, DWORD access, DWORD share, DWORD disposition, DWORD flags) {
  const HANDLE file =
      CreateFileW(to_utf16(path).c_str(), access, share, nullptr, disposition, flags, nullptr);
  // For a path that is too long, Windows reports that it does not exist.
  if (file == INVALID_HANDLE_VALUE && GetLastError() == ERROR_PATH_NOT_FOUND) {
    const bool is_too_long = absolute_path(path).size() >= MAX_PATH;
    SetLastError(is_too_long ? ERROR_FILENAME_EXCED_RANGE : ERROR_PATH_NOT_FOUND);
  }
  return Handle(file);
}

// Opens a file or a folder; a folder needs these flags.
Handle open_existing(const std::string& path, DWORD access, DWORD more_flags = 0) {
  return open_path(path, access, kShareAll, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | more_flags);
}

std::optional<FileStatus> status_of(HANDLE handle) {
  SetLastError(0);
  if (GetFileType(handle) != FILE_TYPE_DISK) {
    if (GetLastError() == 0) return FileStatus{FileKind::kOther, 0};
    fail_as_system();
    return std::nullopt;
  }
  BY_HANDLE_FILE_INFORMATION file = {};
  if (!succeeded(GetFileInformationByHandle(handle, &file))) return std::nullopt;
  if (file.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) return FileStatus{FileKind::kFolder, 0};
  const auto high = static_cast<std::uint64_t>(file.nFileSizeHigh) << 32;
  return FileStatus{FileKind::kRegular, static_cast<std::int64_t>(high | file.nFileSizeLow)};
}

// True if the path names a device, as "nul" and "con" do in every folder.
bool names_device(const std::string& path) {
  return absolute_path(path).starts_with(L"\\\\.\\");
}

bool is_link(HANDLE file) {
  FILE_ATTRIBUTE_TAG_INFO tag = {};
  return GetFileInformationByHandleEx(file, FileAttributeTagInfo, &tag, sizeof(tag)) &&
         (tag.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
         IsReparseTagNameSurrogate(tag.ReparseTag);
}

}  // namespace

std::filesystem::path to_path(const std::string& path) {
  return to_utf16(path);
}

std::string to_text(const std::filesystem::path& path) {
  return to_utf8(path.generic_wstring());
}

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) _close(number_);
}

int open_to_read(const std::string& path) {
  Handle file = open_existing(path, GENERIC_READ);
  return file.is_open() ? file.to_file() : fail_as_system();
}

int open_to_write_alone(const std::string& path) {
  Handle file = open_path(path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, OPEN_ALWAYS,
                          FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT);
  if (!file.is_open()) {
    const DWORD error = GetLastError();
    if (error == ERROR_SHARING_VIOLATION) return fail(EWOULDBLOCK);
    const std::optional<FileStatus> old = file_status(path);
    return fail(old && old->kind == FileKind::kFolder ? EISDIR : errno_of(error));
  }
  return is_link(file.get()) ? fail(EMLINK) : file.to_file();
}

// A lock on the folder itself would block other programs: a shell whose current folder it is, or renames into
// it. So the lock is a named pipe. Only one pipe of a name can exist, and the system keeps it until its last
// handle closes. The name is made from the folder's number on its disk, which does not depend on the path. On
// a network drive, the lock does not keep out another computer. Some shared drives give no numbers; there it
// keeps out nothing.
int lock_folder(const std::string& path) {
  Handle folder = open_existing(path, FILE_READ_ATTRIBUTES);
  BY_HANDLE_FILE_INFORMATION file = {};
  if (!folder.is_open() || !GetFileInformationByHandle(folder.get(), &file)) return fail_as_system();
  if (!(file.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)) return fail(ENOTDIR);
  const auto unlocked = [&] {
    const int number = folder.to_file();
    if (number >= 0) errno = ENOLCK;
    return number;
  };
  if (file.nFileIndexHigh == 0 && file.nFileIndexLow == 0) return unlocked();
  char name[80];
  std::snprintf(name, sizeof(name), "\\\\.\\pipe\\plainformer-folder-%08lx-%08lx%08lx",
                file.dwVolumeSerialNumber, file.nFileIndexHigh, file.nFileIndexLow);
  Handle pipe(CreateNamedPipeW(to_utf16(name).c_str(), PIPE_ACCESS_INBOUND | FILE_FLAG_FIRST_PIPE_INSTANCE,
                               PIPE_TYPE_BYTE | PIPE_REJECT_REMOTE_CLIENTS, 1, 0, 0, 0, nullptr));
  if (pipe.is_open()) {
    const int number = pipe.to_file();
    if (number >= 0) errno = 0;
    return number;
  }
  const DWORD error = GetLastError();
  const bool is_taken = error == ERROR_ACCESS_DENIED || error == ERROR_PIPE_BUSY;
  return is_taken ? fail(EWOULDBLOCK) : unlocked();
}

std::optional<FileStatus> file_status(int file) {
  const HANDLE handle = handle_of(file);
  if (handle == INVALID_HANDLE_VALUE) return std::nullopt;
  return status_of(handle);
}

std::optional<FileStatus> file_status(const std::string& path) {
  if (names_device(path)) return FileStatus{FileKind::kOther, 0};
  const Handle file = open_existing(path, FILE_READ_ATTRIBUTES);
  if (file.is_open()) return status_of(file.get());
  fail_as_system();
  return std::nullopt;
}

std::ptrdiff_t read_bytes(int file, char* bytes, std::size_t count) {
  const HANDLE handle = handle_of(file);
  if (handle == INVALID_HANDLE_VALUE) return -1;
  DWORD mode = 0;
  if (console_mode(handle, &mode)) return read_console(handle, bytes, count);
  const DWORD most = static_cast<DWORD>(std::min<std::size_t>(count, kMaxBytesPerCall));
  DWORD got = 0;
  do {
    if (!ReadFile(handle, bytes, most, &got, nullptr)) {
      const DWORD error = GetLastError();
      return error == ERROR_BROKEN_PIPE || error == ERROR_HANDLE_EOF ? 0 : fail_as_system();
    }
  } while (got == 0 && most > 0 && GetFileType(handle) == FILE_TYPE_PIPE);  // its writer wrote nothing
  return static_cast<std::ptrdiff_t>(got);
}

bool wait_until_readable(int file, int milliseconds) {
  const HANDLE handle = handle_of(file);
  DWORD mode = 0;
  if (handle == INVALID_HANDLE_VALUE) return true;
  if (console_mode(handle, &mode)) return wait_for_console(handle, milliseconds);
  if (GetFileType(handle) != FILE_TYPE_PIPE || milliseconds < 0) return true;  // reading waits
  const ULONGLONG begin = GetTickCount64();
  DWORD ready = 0;
  while (PeekNamedPipe(handle, nullptr, 0, nullptr, &ready, nullptr) && ready == 0) {
    if (GetTickCount64() - begin >= static_cast<ULONGLONG>(milliseconds)) return false;
    Sleep(1);
  }
  return true;
}

std::ptrdiff_t write_bytes(int file, std::string_view bytes) {
  const HANDLE handle = handle_of(file);
  if (handle == INVALID_HANDLE_VALUE) return -1;
  const DWORD most = static_cast<DWORD>(std::min<std::size_t>(bytes.size(), kMaxBytesPerCall));
  DWORD written = 0;
  if (!WriteFile(handle, bytes.data(), most, &written, nullptr)) return fail_as_system();
  return written == 0 && most > 0 ? fail(ENOSPC) : static_cast<std::ptrdiff_t>(written);
}

bool truncate_file(int file) {
  FILE_END_OF_FILE_INFO end = {};
  return succeeded(SetFileInformationByHandle(handle_of(file), FileEndOfFileInfo, &end, sizeof(end)));
}

bool sync_file(int file) {
  return succeeded(FlushFileBuffers(handle_of(file)));
}

namespace {

// FILE_RENAME_INFO, whose names for the newer way are missing from MinGW's headers before version 11.
struct RenameRequest {
  DWORD flags;
  HANDLE folder;
  DWORD name_bytes;
  wchar_t name[1];  // and more
};
constexpr auto kRenameRequest = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);  // FileRenameInfoEx
constexpr DWORD kReplace = 1, kAsPosix = 2;

// Renames in the way that also replaces a file that another program has open. Older systems and file systems
// (FAT) refuse it.
bool rename_as_posix(const std::string& from, const std::wstring& to) {
  const Handle file =
      open_existing(from, DELETE | SYNCHRONIZE, FILE_FLAG_OPEN_REPARSE_POINT | FILE_FLAG_WRITE_THROUGH);
  if (!file.is_open()) return false;
  const std::size_t bytes = sizeof(RenameRequest) + to.size() * sizeof(wchar_t);
  std::vector<RenameRequest> buffer(bytes / sizeof(RenameRequest) + 1);
  RenameRequest& request = buffer.front();
  request.flags = kReplace | kAsPosix;
  request.name_bytes = static_cast<DWORD>(to.size() * sizeof(wchar_t));
  std::memcpy(reinterpret_cast<char*>(&request) + offsetof(RenameRequest, name), to.data(),
              request.name_bytes);
  return SetFileInformationByHandle(file.get(), kRenameRequest, &request, static_cast<DWORD>(bytes)) != 0;
}

bool rename_once(const std::string& from, const std::wstring& to) {
  return rename_as_posix(from, to) ||
         MoveFileExW(to_utf16(from).c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
}

}  // namespace

bool replace_file(const std::string& from, const std::string& to) {
  const std::wstring target = absolute_path(to);
  // A virus scanner or an indexer may hold a new file for a moment.
  for (DWORD wait = 1; wait <= 256; wait *= 2) {
    if (rename_once(from, target)) return true;
    const DWORD error = GetLastError();
    if (error != ERROR_SHARING_VIOLATION && error != ERROR_ACCESS_DENIED) break;
    Sleep(wait);
  }
  return succeeded(rename_once(from, target));
}

bool sync_folder_of(const std::string& /*path*/) {
  return true;  // replace_file writes the name through
}

bool remove_file(const std::string& path) {
  return succeeded(DeleteFileW(to_utf16(path).c_str()));
}

}  // namespace plainformer

#endif
