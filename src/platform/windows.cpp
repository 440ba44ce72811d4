// Windows 10 and later: the process. windows_console.cpp and windows_files.cpp hold the rest of platform.h.
#ifdef _WIN32

#include "platform/windows_support.h"
// The header above comes first.
#include <fcntl.h>
#include <io.h>
#include <psapi.h>
#include <shellapi.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <csignal>
#include <limits>

#include "platform/platform.h"

namespace plainformer {

std::string to_utf8(std::wstring_view text) {
  const int size = static_cast<int>(text.size());
  const int bytes = WideCharToMultiByte(CP_UTF8, 0, text.data(), size, nullptr, 0, nullptr, nullptr);
  std::string result(static_cast<std::size_t>(bytes), '\0');
  WideCharToMultiByte(CP_UTF8, 0, text.data(), size, result.data(), bytes, nullptr, nullptr);
  return result;
}

std::wstring to_utf16(std::string_view text) {
  const int size = static_cast<int>(text.size());
  const int units = MultiByteToWideChar(CP_UTF8, 0, text.data(), size, nullptr, 0);
  std::wstring result(static_cast<std::size_t>(units), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, text.data(), size, result.data(), units);
  return result;
}

HANDLE handle_of(int file) {
  if (file >= 0) {
    const std::intptr_t handle = _get_osfhandle(file);
    if (handle >= 0) return reinterpret_cast<HANDLE>(handle);  // negative: the program has no such stream
  }
  errno = EBADF;
  return INVALID_HANDLE_VALUE;
}

namespace {

std::string called_program = "plainformer";

}  // namespace

std::vector<std::string> start_program(int /*count*/, char** /*values*/) {
  // The parameters of main are in the system's old 8-bit code.
  int count = 0;
  wchar_t** const values = CommandLineToArgvW(GetCommandLineW(), &count);
  std::vector<std::string> arguments;
  if (count > 0) called_program = to_utf8(values[0]);
  for (int i = 1; i < count; ++i) arguments.push_back(to_utf8(values[i]));
  LocalFree(values);

  for (const int file : {0, 1, 2}) _setmode(file, _O_BINARY);
  use_consoles();
  return arguments;
}

std::string program_as_called() {
  return called_program;
}

namespace {

std::atomic<int> noted_signal = 0;  // the console notes it in a thread of its own

void note_or_end(int signal) {
  if (noted_signal.exchange(signal) != 0) TerminateProcess(GetCurrentProcess(), STATUS_CONTROL_C_EXIT);
}

// Notes a signal of the console, which calls this in a thread of its own.
BOOL WINAPI note_console_event(DWORD event) {
  if (event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT) {
    note_or_end(SIGINT);
  } else {
    // The window closes, or the user logs off. The system ends the program when this returns, or after some
    // seconds. Until then, the program can save its work and end by itself.
    noted_signal = SIGTERM;
    Sleep(INFINITE);
  }
  return TRUE;
}

// Notes a signal that the program raises itself.
extern "C" void note_signal(int signal) {
  std::signal(signal, note_signal);
  note_or_end(signal);
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, note_signal);
  std::signal(SIGTERM, note_signal);
  SetConsoleCtrlHandler(nullptr, FALSE);  // a parent may have had Ctrl-C ignored
  SetConsoleCtrlHandler(note_console_event, TRUE);
}

void catch_lost_readers() {}

int interrupt_signal() {
  return noted_signal;
}

int usable_processors(const std::string&) {
  DWORD_PTR process = 0, system = 0;
  GetProcessAffinityMask(GetCurrentProcess(), &process, &system);
  // The mask is 0 if the process has threads in several groups of 64 processors.
  const int processors =
      process == 0 ? static_cast<int>(GetActiveProcessorCount(ALL_PROCESSOR_GROUPS)) : std::popcount(process);
  return std::max(1, processors);
}

namespace {

struct CallAtEnd {
  void (*function)(void*);
  void* argument;
};

void WINAPI call_at_end(void* value) {
  const auto* const call = static_cast<CallAtEnd*>(value);
  call->function(call->argument);
  delete call;
}

}  // namespace

void at_end_of_thread(void (*function)(void*), void* argument) {
  static const DWORD slot = FlsAlloc(call_at_end);
  FlsSetValue(slot, new CallAtEnd{function, argument});
}

double usable_memory_bytes() {
  MEMORYSTATUSEX memory = {};
  memory.dwLength = sizeof(memory);
  if (!GlobalMemoryStatusEx(&memory)) return std::numeric_limits<double>::infinity();
  return static_cast<double>(memory.ullTotalPhys);
}

double peak_resident_megabytes() {
  PROCESS_MEMORY_COUNTERS memory = {};
  K32GetProcessMemoryInfo(GetCurrentProcess(), &memory, sizeof(memory));
  return static_cast<double>(memory.PeakWorkingSetSize) / 1e6;
}

void sleep_while(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  static_assert(sizeof(value) == sizeof(old) && std::atomic<std::uint32_t>::is_always_lock_free);
  WaitOnAddress(const_cast<std::atomic<std::uint32_t>*>(&value), &old, sizeof(old), INFINITE);
}

void wake_sleepers(std::atomic<std::uint32_t>& value) {
  WakeByAddressAll(&value);
}

}  // namespace plainformer

#endif
