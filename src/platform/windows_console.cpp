// Windows: consoles. Text goes to and from them as UTF-16, so the console's code page is left alone.
#ifdef _WIN32

#include "platform/windows_support.h"
// The header above comes first.
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <streambuf>

#include "platform/platform.h"

namespace plainformer {

namespace {

constexpr std::size_t kMaxUnitsPerCall = 8192;  // older consoles refuse more than 64 KB

// The bytes before a character whose end is missing.
std::string_view complete_characters(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0) == 0x80) continue;  // not the first byte of a character
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    return length > back ? text.substr(0, text.size() - back) : text;
  }
  return text;
}

bool write_console(HANDLE console, std::wstring_view text) {
  while (!text.empty()) {
    std::size_t units = std::min(text.size(), kMaxUnitsPerCall);
    const bool splits_pair = units < text.size() && IS_HIGH_SURROGATE(text[units - 1]);
    if (splits_pair) --units;
    DWORD written = 0;
    const bool done = WriteConsoleW(console, text.data(), static_cast<DWORD>(units), &written, nullptr);
    if (!done || written == 0) return false;
    text.remove_prefix(written);
  }
  return true;
}

// Collects UTF-8 until the stream is flushed.
class ConsoleOutput : public std::streambuf {
 public:
  explicit ConsoleOutput(HANDLE console) : console_(console) {}

 protected:
  int_type overflow(int_type byte) override {
    if (traits_type::eq_int_type(byte, traits_type::eof())) return traits_type::not_eof(byte);
    const char text = traits_type::to_char_type(byte);
    return xsputn(&text, 1) == 1 ? byte : traits_type::eof();
  }

  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    text_.append(bytes, static_cast<std::size_t>(count));
    return text_.size() < kMaxUnitsPerCall || sync() == 0 ? count : 0;
  }

  int sync() override {
    const std::size_t ready = complete_characters(text_).size();
    const bool written = write_console(console_, to_utf16(std::string_view(text_).substr(0, ready)));
    text_.erase(0, ready);
    return written ? 0 : -1;
  }

 private:
  const HANDLE console_;
  std::string text_;
};

class ConsoleInput : public std::streambuf {
 public:
  explicit ConsoleInput(HANDLE console) : console_(console) {}

 protected:
  int_type underflow() override {
    const std::ptrdiff_t bytes = read_console(console_, bytes_, sizeof(bytes_));
    if (bytes <= 0) return traits_type::eof();
    setg(bytes_, bytes_, bytes_ + bytes);
    return traits_type::to_int_type(bytes_[0]);
  }

 private:
  const HANDLE console_;
  char bytes_[4096];
};

// Text that was read from the console, but not yet asked for.
std::string& typed_ahead() {
  static std::string text;
  return text;
}

// A line with its '\n', or less of a very long one; empty after Ctrl-Z, the end of the input. Nothing if the
// console cannot be read.
std::optional<std::wstring> read_line(HANDLE console) {
  wchar_t units[4096];
  DWORD count = 0;
  do {
    SetLastError(0);
    if (!ReadConsoleW(console, units, std::size(units) - 1, &count, nullptr)) return std::nullopt;
  } while (count == 0 && GetLastError() == ERROR_OPERATION_ABORTED);  // Ctrl-C, which the program has caught
  DWORD last = 0;
  const bool is_split = count > 0 && IS_HIGH_SURROGATE(units[count - 1]);
  if (is_split && ReadConsoleW(console, units + count, 1, &last, nullptr)) count += last;

  std::wstring line(units, count);
  constexpr wchar_t kControlZ = 26;
  if (line.starts_with(kControlZ)) return std::wstring();
  if (line.ends_with(L"\r\n")) line.erase(line.size() - 2, 1);
  return line;
}

bool has_line(HANDLE console) {
  INPUT_RECORD events[1024];
  DWORD count = 0;
  PeekConsoleInputW(console, events, std::size(events), &count);
  return std::any_of(events, events + count, [](const INPUT_RECORD& event) {
    return event.EventType == KEY_EVENT && event.Event.KeyEvent.bKeyDown &&
           event.Event.KeyEvent.uChar.UnicodeChar == L'\r';
  });
}

}  // namespace

bool console_mode(HANDLE handle, DWORD* mode) {
  return GetConsoleMode(handle, mode) != 0;
}

std::ptrdiff_t read_console(HANDLE console, char* bytes, std::size_t count) {
  std::string& text = typed_ahead();
  if (text.empty()) {
    const std::optional<std::wstring> line = read_line(console);
    if (!line) {
      errno = EIO;
      return -1;
    }
    text = to_utf8(*line);
  }
  const std::size_t given = text.copy(bytes, count);
  text.erase(0, given);
  return static_cast<std::ptrdiff_t>(given);
}

bool wait_for_console(HANDLE console, int milliseconds) {
  if (milliseconds < 0) return true;  // reading waits
  const ULONGLONG begin = GetTickCount64();
  while (typed_ahead().empty() && !has_line(console)) {
    if (GetTickCount64() - begin >= static_cast<ULONGLONG>(milliseconds)) return false;
    Sleep(10);
  }
  return true;
}

void use_consoles() {
  DWORD mode = 0;
  // The buffers are never destroyed, because the streams are flushed last of all.
  if (const HANDLE console = handle_of(0); console_mode(console, &mode))
    std::cin.rdbuf(new ConsoleInput(console));
  for (const auto& [file, stream] : {std::pair{1, &std::cout}, std::pair{2, &std::cerr}}) {
    const HANDLE console = handle_of(file);
    if (!console_mode(console, &mode)) continue;
    stream->rdbuf(new ConsoleOutput(console));
    SetConsoleMode(console, mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  }
}

bool is_terminal(int file) {
  DWORD mode = 0;
  return console_mode(handle_of(file), &mode);
}

std::string end_of_input_keys() {
  return "Ctrl-Z and Enter";
}

std::string quoted_for_shell(const std::string& argument) {
  const bool is_plain =
      !argument.empty() && argument.find_first_of(" \t&()[]{}^=;!'+,`~%") == std::string::npos;
  if (is_plain) return argument;
  // No path holds a quotation mark there. Backslashes before one count double.
  return "\"" + argument + argument.substr(argument.find_last_not_of('\\') + 1) + "\"";
}

int terminal_width(int file) {
  CONSOLE_SCREEN_BUFFER_INFO screen = {};
  if (!GetConsoleScreenBufferInfo(handle_of(file), &screen)) return 80;
  return std::max(1, screen.srWindow.Right - screen.srWindow.Left + 1);
}

bool understands_escapes(int file) {
  const char* const terminal = std::getenv("TERM");
  if (terminal != nullptr && std::string_view(terminal) == "dumb") return false;
  DWORD mode = 0;
  return console_mode(handle_of(file), &mode) && (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

}  // namespace plainformer

#endif
