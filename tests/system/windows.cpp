// Windows, and Wine, which runs its programs on Linux.
#ifdef _WIN32

#include "system/windows_imports.h"
// The header above comes first.
#include <fcntl.h>
#include <io.h>
#include <winioctl.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "platform/platform.h"
#include "system/roles.h"
#include "system/system.h"
#include "system/windows_start.h"

namespace plainformer {

namespace {

void require(bool succeeded, const std::string& what) {
  if (!succeeded) throw std::runtime_error("cannot " + what + ": error " + std::to_string(GetLastError()));
}

}  // namespace

// --- the environment ---

EnvironmentVariable::EnvironmentVariable(const std::string& name) : name_(name) {
  if (const char* const value = std::getenv(name.c_str())) before_ = value;
}

EnvironmentVariable::~EnvironmentVariable() {
  before_ ? set(*before_) : unset();
}

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

// All pipes with names stand in one folder, and each instance of a pipe is for one who opens it.
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

namespace {

// Under Wine without a screen, a program cannot make a console for itself, but it can start one with a
// console.
const Role keep_a_console("keep_a_console", [](const std::vector<std::string>&) {
  std::this_thread::sleep_for(std::chrono::minutes(1));
  return 0;
});

// Makes sure that this process has a console.
void have_console() {
  if (GetConsoleCP() != 0) return;
  FreeConsole();
  STARTUPINFOW startup = {};
  startup.cb = sizeof(startup);
  PROCESS_INFORMATION keeper = {};
  std::wstring line = L"tests --role keep_a_console";
  const auto starts = [&] {
    return CreateProcessW(to_utf16(this_program()).c_str(), line.data(), nullptr, nullptr, FALSE,
                          CREATE_NO_WINDOW, nullptr, nullptr, &startup, &keeper);
  };
  require(starts_in_ten_tries(starts), "start a program with a console");
  for (int i = 0; i < 1000 && !AttachConsole(keeper.dwProcessId); ++i) Sleep(10);
  TerminateProcess(keeper.hProcess, 0);
  CloseHandle(keeper.hThread);
  CloseHandle(keeper.hProcess);
}

}  // namespace

PseudoTerminal::PseudoTerminal(int columns) {
  have_console();
  const HANDLE screen =
      CreateConsoleScreenBuffer(GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                                CONSOLE_TEXTMODE_BUFFER, nullptr);
  if (screen == INVALID_HANDLE_VALUE) return;
  const auto width = static_cast<SHORT>(columns);
  const SMALL_RECT small_window = {0, 0, 0, 0}, window = {0, 0, static_cast<SHORT>(width - 1), 9};
  SetConsoleWindowInfo(screen, TRUE, &small_window);  // the buffer must hold the window at any time
  require(SetConsoleScreenBufferSize(screen, {width, 100}) && SetConsoleWindowInfo(screen, TRUE, &window),
          "size a console");
  SetConsoleMode(screen, ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  file_ = _open_osfhandle(reinterpret_cast<std::intptr_t>(screen), _O_BINARY);
}

PseudoTerminal::~PseudoTerminal() {
  if (file_ >= 0) _close(file_);
}

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

MemoryFile::MemoryFile(std::string_view bytes) {
  wchar_t folder[MAX_PATH + 1], path[MAX_PATH + 1];
  require(GetTempPathW(MAX_PATH + 1, folder) && GetTempFileNameW(folder, L"pf", 0, path), "make a file");
  path_ = to_utf8(path);
  replace(bytes);
}

MemoryFile::~MemoryFile() {
  DeleteFileW(to_utf16(path_).c_str());
}

void MemoryFile::replace(std::string_view bytes) const {
  std::ofstream file(std::filesystem::path(to_utf16(path_)), std::ios::binary);
  require(static_cast<bool>(file << bytes << std::flush), "write " + path_);
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

namespace {

using UnixName = char*(CDECL*)(const wchar_t*);

// Wine's kernel32 has functions that Windows does not have.
UnixName unix_name() {
  return reinterpret_cast<UnixName>(
      reinterpret_cast<void*>(GetProcAddress(GetModuleHandleW(L"kernel32"), "wine_get_unix_file_name")));
}

bool is_wine() {
  return unix_name() != nullptr;
}

// Under Wine, and only there: runs mount or umount. Nothing tells when it is done, and whether it worked.
bool run_unix(const std::string& program, const std::string& options, const std::string& folder) {
  if (!is_wine()) return false;
  const std::wstring file = L"Z:\\bin\\" + to_utf16(program);
  std::wstring line = file + to_utf16(options + " \"" + unix_name()(to_utf16(folder).c_str()) + "\"");
  STARTUPINFOW startup = {};
  startup.cb = sizeof(startup);
  PROCESS_INFORMATION process = {};
  return CreateProcessW(file.c_str(), line.data(), nullptr, nullptr, FALSE, 0, nullptr, nullptr, &startup,
                        &process);
}

bool becomes_true(const std::function<bool()>& happened) {
  for (int i = 0; i < 300 && !happened(); ++i) Sleep(10);
  return happened();
}

// The number of a folder on its disk: another one, once a disk is mounted on it.
std::uint64_t number_of(const std::string& folder) {
  const HANDLE handle = CreateFileW(to_utf16(folder).c_str(), 0, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                                    OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  BY_HANDLE_FILE_INFORMATION file = {};
  GetFileInformationByHandle(handle, &file);
  CloseHandle(handle);
  return (std::uint64_t{file.nFileIndexHigh} << 32) | file.nFileIndexLow;
}

}  // namespace

bool mount_small_disk(const std::string& folder, std::uintmax_t bytes) {
  const std::uint64_t before = number_of(folder);
  return run_unix("mount", " -t tmpfs -o size=" + std::to_string(bytes) + " tmpfs", folder) &&
         becomes_true([&] { return number_of(folder) != before; });
}

void unmount_small_disk(const std::string& folder) {
  const std::uint64_t before = number_of(folder);
  run_unix("umount", " -l", folder);
  becomes_true([&] { return number_of(folder) != before; });
}

namespace {

std::vector<std::string>* watched_calls = nullptr;
FailingCall failing_call = FailingCall::kNone;

// The system's own function, which the import table does not lead to while we watch.
template <typename Function>
Function original(const char* name) {
  return reinterpret_cast<Function>(
      reinterpret_cast<void*>(GetProcAddress(GetModuleHandleW(L"kernel32"), name)));
}

BOOL WINAPI watched_sync(HANDLE file) {
  watched_calls->push_back("sync file");
  if (failing_call != FailingCall::kSyncOfFile)
    return original<decltype(&FlushFileBuffers)>("FlushFileBuffers")(file);
  SetLastError(ERROR_IO_DEVICE);
  return FALSE;
}

BOOL WINAPI watched_move(const wchar_t* from, const wchar_t* to, DWORD flags) {
  const BOOL moved = original<decltype(&MoveFileExW)>("MoveFileExW")(from, to, flags);
  if (moved) watched_calls->push_back("rename");
  return moved;
}

BOOL WINAPI watched_change(HANDLE file, FILE_INFO_BY_HANDLE_CLASS kind, void* information, DWORD bytes) {
  constexpr auto kRename = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);  // FileRenameInfoEx
  const auto change = original<decltype(&SetFileInformationByHandle)>("SetFileInformationByHandle");
  const BOOL changed = change(file, kind, information, bytes);
  if (changed && kind == kRename) watched_calls->push_back("rename");
  return changed;
}

HANDLE WINAPI watched_pipe(const wchar_t* name, DWORD access, DWORD mode, DWORD instances, DWORD out_bytes,
                           DWORD in_bytes, DWORD timeout, SECURITY_ATTRIBUTES* security) {
  if (failing_call == FailingCall::kLock) {
    SetLastError(ERROR_NOT_SUPPORTED);
    return INVALID_HANDLE_VALUE;
  }
  const auto create = original<decltype(&CreateNamedPipeW)>("CreateNamedPipeW");
  return create(name, access, mode, instances, out_bytes, in_bytes, timeout, security);
}

// The calls of this program go to our functions from now on, until the destructor.
class Detour {
 public:
  Detour() {
    for_each_import(GetModuleHandleW(nullptr), [this](const Import& import) {
      if (import.function == "FlushFileBuffers") lead(import.address, reinterpret_cast<void*>(&watched_sync));
      if (import.function == "MoveFileExW") lead(import.address, reinterpret_cast<void*>(&watched_move));
      if (import.function == "SetFileInformationByHandle")
        lead(import.address, reinterpret_cast<void*>(&watched_change));
      if (import.function == "CreateNamedPipeW") lead(import.address, reinterpret_cast<void*>(&watched_pipe));
    });
  }
  Detour(const Detour&) = delete;
  Detour& operator=(const Detour&) = delete;
  ~Detour() {
    for (const auto& [address, function] : before_) write(address, function);
  }

 private:
  void lead(void** address, void* function) {
    before_.emplace_back(address, *address);
    write(address, function);
  }
  static void write(void** address, void* function) {
    DWORD protection = 0;
    VirtualProtect(address, sizeof(*address), PAGE_READWRITE, &protection);
    *address = function;
    VirtualProtect(address, sizeof(*address), protection, &protection);
  }

  std::vector<std::pair<void**, void*>> before_;
};

}  // namespace

std::optional<std::vector<std::string>> disk_calls_of(const std::function<void()>& action,
                                                      FailingCall failing) {
  std::vector<std::string> calls;
  watched_calls = &calls;
  failing_call = failing;
  const Detour detour;
  action();
  return calls;
}

bool folders_need_syncing() {
  return false;
}

bool paths_may_be_any_bytes() {
  return false;
}

bool replaces_open_files() {
  return !is_wine();
}

}  // namespace plainformer

#endif
