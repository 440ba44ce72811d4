// Windows: other processes.
#ifdef _WIN32

#include "platform/windows_support.h"
// The header above comes first.
#include <psapi.h>

#include <csignal>
#include <filesystem>
#include <stdexcept>

#include "platform/platform.h"
#include "system/process.h"

namespace plainformer {

namespace {

void ensure(bool succeeded, const std::string& what) {
  if (!succeeded) throw std::runtime_error("cannot " + what + ": error " + std::to_string(GetLastError()));
}

// Does `start`, which calls CreateProcessW, succeed? On a busy machine, Wine 8 sometimes fails with an
// internal error, and the next try succeeds.
template <class Start>
bool starts_in_ten_tries(Start start) {
  for (int tries = 1; !start(); ++tries) {
    if (GetLastError() != ERROR_INTERNAL_ERROR || tries == 10) return false;
    Sleep(10);
  }
  return true;
}

constexpr int kTimeIsUp = 14;  // POSIX's SIGALRM

// Hides it from children.
void keep_for_us(HANDLE handle) {
  SetHandleInformation(handle, HANDLE_FLAG_INHERIT, 0);
}

// As CommandLineToArgvW reads it: backslashes count only in front of a quotation mark.
std::wstring quoted(const std::wstring& argument) {
  std::wstring result = L"\"";
  std::size_t backslashes = 0;
  for (const wchar_t c : argument) {
    if (c == L'"') result.append(backslashes + 1, L'\\');
    backslashes = c == L'\\' ? backslashes + 1 : 0;
    result += c;
  }
  result.append(backslashes, L'\\');
  return result + L"\"";
}

std::wstring command_line_of(const ProgramSetup& setup) {
  std::wstring line = quoted(to_utf16(setup.program));
  for (const std::string& argument : setup.arguments) line += L" " + quoted(to_utf16(argument));
  return line;
}

// The file to run: what PATH finds for a name, and a path as it is or with ".exe" behind it.
std::wstring file_of(const std::string& program) {
  namespace fs = std::filesystem;
  if (program.find_first_of("/\\") == std::string::npos) return to_utf16(program_in_path(program));
  const fs::path path = to_utf16(program), with_extension = to_utf16(program + ".exe");
  return fs::absolute(fs::exists(with_extension) ? with_extension : path).wstring();
}

// "NAME=value" after "NAME=value", each with a null behind it, and one more at the end.
std::wstring environment_with(const Variables& more) {
  const auto is_replaced = [&](const std::wstring& text) {
    for (const auto& [name, value] : more) {
      const std::wstring begin = to_utf16(name) + L"=";
      if (_wcsnicmp(text.c_str(), begin.c_str(), begin.size()) == 0) return true;
    }
    return false;
  };
  std::wstring block;
  wchar_t* const ours = GetEnvironmentStringsW();
  for (const wchar_t* each = ours; *each != 0; each += std::wcslen(each) + 1)
    if (!is_replaced(each)) block += each + std::wstring(1, L'\0');
  FreeEnvironmentStringsW(ours);
  for (const auto& [name, value] : more) block += to_utf16(name + "=" + value) + std::wstring(1, L'\0');
  return block + std::wstring(1, L'\0');
}

// A handle that a child may get.
HANDLE open_for_child(const std::string& path, DWORD access, DWORD disposition) {
  SECURITY_ATTRIBUTES inherit = {sizeof(inherit), nullptr, TRUE};
  // With the last flag a folder can be opened, too.
  const HANDLE handle =
      CreateFileW(to_utf16(path).c_str(), access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                  &inherit, disposition, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  ensure(handle != INVALID_HANDLE_VALUE, "open " + path);
  return handle;
}

// The three standard streams of a child. Those that were opened for it are closed at the end.
class Streams {
 public:
  explicit Streams(const ProgramSetup& setup) {
    if (setup.stdin_path.empty()) {
      SECURITY_ATTRIBUTES inherit = {sizeof(inherit), nullptr, TRUE};
      ensure(CreatePipe(&handles_[0], &input_, &inherit, 0), "make a pipe");
      keep_for_us(input_);
    } else {
      handles_[0] = open_for_child(setup.stdin_path, GENERIC_READ, OPEN_EXISTING);
    }
    const DWORD streams[] = {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    const std::string paths[] = {setup.stdout_path, setup.stderr_path};
    for (int i : {0, 1}) {
      is_ours_[i + 1] = paths[i].empty();
      handles_[i + 1] = paths[i].empty() ? GetStdHandle(streams[i])
                                         : open_for_child(paths[i], GENERIC_WRITE, CREATE_ALWAYS);
    }
  }
  Streams(const Streams&) = delete;
  ~Streams() {
    for (int i : {0, 1, 2}) {
      if (!is_ours_[i]) CloseHandle(handles_[i]);
    }
  }

  HANDLE input() const { return input_; }  // our end of the pipe
  void pass_to(STARTUPINFOW& startup) const {
    startup.dwFlags = STARTF_USESTDHANDLES;
    startup.hStdInput = handles_[0];
    startup.hStdOutput = handles_[1];
    startup.hStdError = handles_[2];
  }

 private:
  HANDLE handles_[3] = {};
  bool is_ours_[3] = {};
  HANDLE input_ = nullptr;
};

// Its processes end with the last handle to it: with this process, at the latest.
HANDLE make_job() {
  const HANDLE job = CreateJobObjectW(nullptr, nullptr);
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof(limits));
  return job;
}

// Presses Ctrl-C in the console of another process. A process has one console, so this takes one of its own.
const Role press_ctrl_c("press_ctrl_c", [](const std::vector<std::string>& arguments) {
  FreeConsole();
  if (!AttachConsole(static_cast<DWORD>(std::stoul(arguments.at(0))))) return 1;
  SetConsoleCtrlHandler([](DWORD) { return TRUE; }, TRUE);  // we are in that console as well
  return GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0) ? 0 : 1;
});

}  // namespace

struct ChildProcess::State {
  HANDLE process = nullptr, job = nullptr, input = nullptr;
  DWORD id = 0;
  DWORD most_milliseconds = 0;
};

ChildProcess::ChildProcess(const ProgramSetup& setup) : state_(std::make_unique<State>()) {
  const Streams streams(setup);
  state_->input = streams.input();
  STARTUPINFOW startup = {};
  startup.cb = sizeof(startup);
  streams.pass_to(startup);
  PROCESS_INFORMATION process = {};
  const std::wstring file = file_of(setup.program), folder = to_utf16(setup.folder);
  std::wstring line = command_line_of(setup), environment = environment_with(setup.environment);
  const DWORD console = setup.takes_ctrl_c ? CREATE_NO_WINDOW : 0;
  const auto starts = [&] {
    return CreateProcessW(file.c_str(), line.data(), nullptr, nullptr, TRUE,
                          console | CREATE_SUSPENDED | CREATE_UNICODE_ENVIRONMENT, environment.data(),
                          folder.empty() ? nullptr : folder.c_str(), &startup, &process);
  };
  if (!starts_in_ten_tries(starts)) return;  // wait() tells
  state_->process = process.hProcess;
  state_->id = process.dwProcessId;
  state_->most_milliseconds = static_cast<DWORD>(1000 * setup.most_seconds * kPatience);
  state_->job = make_job();
  AssignProcessToJobObject(state_->job, process.hProcess);
  ResumeThread(process.hThread);
  CloseHandle(process.hThread);
}

ChildProcess::~ChildProcess() {
  close_input();
  if (state_->process == nullptr) return;
  send(kKill);
  wait();
}

void ChildProcess::write_input(std::string_view text) {
  while (!text.empty()) {
    DWORD written = 0;
    ensure(WriteFile(state_->input, text.data(), static_cast<DWORD>(text.size()), &written, nullptr),
           "write to a program");
    text.remove_prefix(written);
  }
}

void ChildProcess::close_input() {
  if (state_->input != nullptr) CloseHandle(state_->input);
  state_->input = nullptr;
}

void ChildProcess::send(int signal) const {
  if (signal == SIGINT) {
    ProgramSetup setup = as_role("press_ctrl_c", {std::to_string(state_->id)});
    ensure(ChildProcess(setup).wait().exit_code == 0, "press Ctrl-C");
  } else {
    TerminateProcess(state_->process, static_cast<UINT>(128 + signal));
  }
}

bool can_send(int signal) {
  return signal == SIGINT || signal == kKill;
}

std::uintmax_t ChildProcess::peak_memory() const {
  PROCESS_MEMORY_COUNTERS memory = {};
  K32GetProcessMemoryInfo(state_->process, &memory, sizeof(memory));
  return memory.PeakWorkingSetSize;
}

bool ChildProcess::lift_file_size_limit() const {
  return false;
}

ProcessEnd ChildProcess::wait() {
  close_input();
  if (state_->process == nullptr) return {.exit_code = 127};
  if (WaitForSingleObject(state_->process, state_->most_milliseconds) != WAIT_OBJECT_0) {
    send(kTimeIsUp);
    WaitForSingleObject(state_->process, INFINITE);
  }
  DWORD code = 0;
  FILETIME created = {}, ended = {}, kernel = {}, user = {};
  GetExitCodeProcess(state_->process, &code);
  GetProcessTimes(state_->process, &created, &ended, &kernel, &user);
  CloseHandle(state_->process);
  CloseHandle(state_->job);
  state_->process = nullptr;
  const auto seconds = [](const FILETIME& time) {
    return 1e-7 * (4294967296.0 * time.dwHighDateTime + time.dwLowDateTime);
  };
  return {
      .exit_code = code == static_cast<DWORD>(STATUS_CONTROL_C_EXIT) ? 128 + SIGINT : static_cast<int>(code),
      .cpu_seconds = seconds(kernel) + seconds(user)};
}

bool can_limit_file_sizes() {
  return false;
}

std::string this_program() {
  std::wstring path(32768, L'\0');
  path.resize(GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
  return to_utf8(path);
}

std::string program_in_path(const std::string& name) {
  std::wstring path(32768, L'\0');
  path.resize(SearchPathW(nullptr, to_utf16(name).c_str(), L".exe", static_cast<DWORD>(path.size()),
                          path.data(), nullptr));
  return to_utf8(path);
}

std::optional<std::vector<std::string>> libraries_of(const std::string& /*program*/) {
  return std::nullopt;
}

}  // namespace plainformer

#endif
