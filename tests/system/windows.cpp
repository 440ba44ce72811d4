// Windows, and Wine, which runs its programs on Linux.
#ifdef _WIN32

#include "platform/windows_support.h"
// The header above comes first.
#include <fcntl.h>
#include <io.h>
#include <winioctl.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "platform/platform.h"
#include "system/system.h"

namespace plainformer {

namespace {

void require(bool succeeded, const std::string& what) {
  if (!succeeded) throw std::runtime_error("cannot " + what + ": error " + std::to_string(GetLastError()));
}

}  // namespace

// --- the environment ---

void EnvironmentVariable::set(const std::string& value) const {
  // The C library would remove a variable without a value. It keeps one whose value is cut off later.
  _putenv_s(name_.c_str(), value.empty() ? "x" : value.c_str());
  if (value.empty()) *std::getenv(name_.c_str()) = '\0';
}

void EnvironmentVariable::unset() const {
  _putenv_s(name_.c_str(), "");
}

std::optional<Variables> german_language(const std::string& /*folder*/) {
  return std::nullopt;  // no variable chooses the language
}

// --- pipes and terminals ---

Pipe::Pipe() {
  require(_pipe(ends_, 1 << 16, _O_BINARY | _O_NOINHERIT) == 0, "make a pipe");
}

Pipe::~Pipe() {
  _close(ends_[0]);
  close_write_end();
}

void Pipe::close_write_end() {
  if (ends_[1] >= 0) _close(ends_[1]);
  ends_[1] = -1;
}

// All pipes with names are in one folder, and each instance of a pipe can be opened once.
NamedPipe::NamedPipe(const std::string& path) {
  constexpr DWORD kInstances = 32;
  path_ = "\\\\.\\pipe\\plainformer-" + std::to_string(std::hash<std::string>()(path));
  for (DWORD i = 0; i < kInstances; ++i) {
    instances_.push_back(CreateNamedPipeW(to_utf16(path_).c_str(), PIPE_ACCESS_DUPLEX, PIPE_TYPE_BYTE,
                                          kInstances, 0, 0, 0, nullptr));
    require(instances_.back() != INVALID_HANDLE_VALUE, "make the pipe " + path_);
  }
}

NamedPipe::~NamedPipe() {
  for (const HANDLE instance : instances_) CloseHandle(instance);
}

bool pipes_stand_in_any_folder() {
  return false;
}

std::string device_to_read() {
  return "NUL";
}

PseudoTerminal::PseudoTerminal(int /*columns*/) {}

PseudoTerminal::~PseudoTerminal() = default;

void PseudoTerminal::type(std::string_view /*keys*/) const {}

const std::string& PseudoTerminal::shown() {
  return shown_;
}

// --- memory ---

bool limit_memory(std::uintmax_t /*more_bytes*/) {
  return false;
}

std::uintmax_t stack_of_a_thread() {
  return 2 << 20;  // as MinGW's linker sets it
}

GuardedMemory::GuardedMemory(std::size_t bytes) {
  SYSTEM_INFO system = {};
  GetSystemInfo(&system);
  const std::size_t page = system.dwPageSize;
  size_ = (bytes / page + 2) * page;
  pages_ = static_cast<char*>(VirtualAlloc(nullptr, size_, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE));
  require(pages_ != nullptr, "map memory");
  DWORD before = 0;
  require(VirtualProtect(pages_ + size_ - page, page, PAGE_NOACCESS, &before), "protect memory");
  data_ = pages_ + size_ - page - bytes;
}

GuardedMemory::~GuardedMemory() {
  VirtualFree(pages_, 0, MEM_RELEASE);
}

// --- disks ---

// std::filesystem::resize_file of GCC for Windows takes at most 2 GiB.
void stretch_file(const std::string& path, std::uintmax_t bytes) {
  const HANDLE file = CreateFileW(to_utf16(path).c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr,
                                  OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  DWORD size = 0;
  DeviceIoControl(file, FSCTL_SET_SPARSE, nullptr, 0, nullptr, 0, &size, nullptr);  // Wine needs none
  LARGE_INTEGER end;
  end.QuadPart = static_cast<LONGLONG>(bytes);
  const bool done = SetFilePointerEx(file, end, nullptr, FILE_BEGIN) && SetEndOfFile(file);
  CloseHandle(file);
  if (!done) throw std::runtime_error(path + " cannot be stretched");
}

std::optional<std::vector<std::string>> disk_calls_of(const std::function<void()>& /*action*/,
                                                      FailingCall /*failing*/) {
  return std::nullopt;
}

bool paths_may_be_any_bytes() {
  return false;
}

bool replaces_open_files() {  // Wine's kernel32 has functions that Windows does not have
  return GetProcAddress(GetModuleHandleW(L"kernel32"), "wine_get_unix_file_name") == nullptr;
}

}  // namespace plainformer

#endif
