// Windows 10 and later: each child belongs to a job, with all that it starts.
#ifdef _WIN32

#include "platform/windows_support.h"
// The header above comes first.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <sstream>
#include <system_error>
#include <thread>

#include "core/input_error.h"
#include "process.h"

namespace plainformer::course {

namespace {

using Clock = std::chrono::steady_clock;

constexpr DWORD kFirstException = 0xC0000000;

struct Close {
  void operator()(HANDLE handle) const { CloseHandle(handle); }
};
using Handle = std::unique_ptr<void, Close>;

std::runtime_error start_error(const std::string& program, DWORD error) {
  return input_error(program, "cannot be started: " + std::system_category().message(static_cast<int>(error)),
                     "is it installed, and is there memory for another process?");
}

// The child's C library takes the command line apart: a quote needs a backslash, and so does each backslash
// before a quote.
std::wstring quoted(const std::wstring& word) {
  if (!word.empty() && word.find_first_of(L" \t\n\v\"*?") == std::wstring::npos) return word;
  std::wstring text = L"\"";
  std::size_t backslashes = 0;
  for (const wchar_t c : word) {
    if (c == L'"') text.append(backslashes + 1, L'\\');
    backslashes = c == L'\\' ? backslashes + 1 : 0;
    text += c;
  }
  return text.append(backslashes, L'\\') + L'"';
}

struct Pipe {
  explicit Pipe(const std::string& program) {
    HANDLE ends[2] = {};
    if (!CreatePipe(&ends[0], &ends[1], nullptr, 0)) throw start_error(program, GetLastError());
    reader = Handle(ends[0]);
    writer = Handle(ends[1]);
  }
  Handle reader, writer;
};

struct Pipes {
  explicit Pipes(const std::string& program) : input(program), output(program), report(program) {}
  Pipe input, output, report;  // nobody writes into the first
};

// The open files, as C libraries of Windows hand them on: their number, a byte of flags each, a handle each.
std::string table_of_files(const std::array<HANDLE, 4>& handles) {
  constexpr char kOpenPipe = 0x01 | 0x08;
  const auto count = static_cast<int>(handles.size());
  std::string table(sizeof count, '\0');
  std::memcpy(table.data(), &count, sizeof count);
  table.append(handles.size(), kOpenPipe);
  return table.append(reinterpret_cast<const char*>(handles.data()), sizeof handles);
}

// Ends with its last handle, which is ours: when we end, so do all children.
Handle job_with(const Limits& limits) {
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION information = {};
  JOBOBJECT_BASIC_LIMIT_INFORMATION& basic = information.BasicLimitInformation;
  basic.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
  if (limits.cpu_seconds > 0) {
    basic.LimitFlags |= JOB_OBJECT_LIMIT_JOB_TIME;
    basic.PerJobUserTimeLimit.QuadPart = static_cast<LONGLONG>(std::ceil(limits.cpu_seconds) * 1e7);
  }
  if (limits.memory_mb > 0) {
    basic.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_MEMORY;
    information.ProcessMemoryLimit = static_cast<SIZE_T>(limits.memory_mb) << 20;
  }
  Handle job(CreateJobObjectW(nullptr, nullptr));
  SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &information, sizeof information);
  return job;
}

// Starts a program in a job. One thread at a time: a child inherits all handles that may be inherited now,
// and the variables, which stay ours too.
Handle start(const std::vector<std::string>& command, const std::vector<std::string>& environment,
             const Handle& job, Pipes* pipes) {
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  for (const std::string& variable : environment) _wputenv(to_utf16(variable).c_str());
  STARTUPINFOW startup = {};
  startup.cb = sizeof startup;
  std::string table;
  if (pipes) {
    const HANDLE output = pipes->output.writer.get();
    const std::array<HANDLE, 4> files = {pipes->input.reader.get(), output, output,
                                         pipes->report.writer.get()};
    for (const HANDLE file : files) SetHandleInformation(file, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    table = table_of_files(files);
    startup.dwFlags = STARTF_USESTDHANDLES;
    startup.hStdInput = files[0];
    startup.hStdOutput = startup.hStdError = output;
    startup.cbReserved2 = static_cast<WORD>(table.size());
    startup.lpReserved2 = reinterpret_cast<BYTE*>(table.data());
  }
  // A crash ends the child, without a window that asks what to do.
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
  std::wstring line;
  for (const std::string& word : command) line += (line.empty() ? L"" : L" ") + quoted(to_utf16(word));
  PROCESS_INFORMATION information = {};
  if (!CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, CREATE_SUSPENDED, nullptr, nullptr,
                      &startup, &information))
    throw start_error(command.at(0), GetLastError());
  Handle process(information.hProcess);
  const Handle thread(information.hThread);
  if (!AssignProcessToJobObject(job.get(), process.get())) {
    const DWORD error = GetLastError();
    TerminateProcess(process.get(), 1);
    throw start_error(command.at(0), error);
  }
  ResumeThread(thread.get());
  if (pipes)
    for (Handle* const end :
         {&pipes->input.reader, &pipes->input.writer, &pipes->output.writer, &pipes->report.writer})
      end->reset();
  return process;
}

DWORD exit_code_of(const Handle& process) {
  DWORD code = 0;
  GetExitCodeProcess(process.get(), &code);
  return code;
}

// Reads a pipe to its end, and drops what is beyond the limit.
void read_all(const Handle& pipe, std::string& text) {
  std::array<char, 65536> bytes;
  DWORD count = 0;
  while (ReadFile(pipe.get(), bytes.data(), static_cast<DWORD>(bytes.size()), &count, nullptr))
    text.append(bytes.data(), std::min<std::size_t>(count, kMostOutputBytes - text.size()));
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command, const Limits& limits,
                          const std::vector<std::string>& environment) {
  // Step 1. Start it.
  const Clock::time_point start_time = Clock::now();
  Pipes pipes(command.at(0));
  const Handle job = job_with(limits);
  const Handle process = start(command, environment, job, &pipes);

  // Step 2. Read and wait, until it exits or its time is over.
  ProcessResult result;
  std::thread reader(read_all, std::cref(pipes.output.reader), std::ref(result.output));
  std::thread report_reader(read_all, std::cref(pipes.report.reader), std::ref(result.report));
  const DWORD most_ms = limits.seconds > 0 ? static_cast<DWORD>(1000 * limits.seconds) : INFINITE;
  result.waited = WaitForSingleObject(process.get(), most_ms) == WAIT_TIMEOUT;
  const bool used_up = exit_code_of(process) == ERROR_NOT_ENOUGH_QUOTA;  // the job's limit
  result.timed_out = result.waited || (used_up && limits.cpu_seconds > 0);

  // Step 3. End its grandchildren too. Then nobody holds the other ends of the pipes.
  TerminateJobObject(job.get(), 1);
  reader.join();
  report_reader.join();
  WaitForSingleObject(process.get(), INFINITE);
  const DWORD code = exit_code_of(process);
  if (code >= kFirstException)
    result.signal = static_cast<int>(code);
  else
    result.exit_code = static_cast<int>(code);
  result.seconds = std::chrono::duration<double>(Clock::now() - start_time).count();
  return result;
}

void end_processes_with_us() {}  // their jobs do

int become_process(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
  const Handle job = job_with({});
  const Handle process = start(command, environment, job, nullptr);
  SetConsoleCtrlHandler(nullptr, TRUE);  // Ctrl-C is the program's
  WaitForSingleObject(process.get(), INFINITE);
  return static_cast<int>(exit_code_of(process));
}

std::string name_of_signal(int number) {
  const auto exception = static_cast<DWORD>(number);
  std::ostringstream name;
  name << "exception 0x" << std::hex << std::uppercase << exception;
  if (exception == EXCEPTION_ACCESS_VIOLATION) name << " (access violation)";
  if (exception == EXCEPTION_STACK_OVERFLOW) name << " (stack overflow)";
  return name.str();
}

}  // namespace plainformer::course

#endif
