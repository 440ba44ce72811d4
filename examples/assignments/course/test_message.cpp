#include "test_message.h"

#include <algorithm>
#include <vector>

#include "text.h"

namespace plainformer::course {

namespace {

constexpr std::size_t kMostLines = 12, kMostMessageColumns = 150, kMostCharacters = 1'000;

bool contains(const std::string& line, const std::string& text) {
  return line.find(text) != std::string::npos;
}

std::string without_leading_spaces(const std::string& text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

std::string first_line_with(const std::vector<std::string>& lines, const std::string& text) {
  const auto found =
      std::find_if(lines.begin(), lines.end(), [&](const std::string& line) { return contains(line, text); });
  return found == lines.end() ? "" : *found;
}

// "    #1 0x55 in plainformer::softmax_forward(...) /home/me/homework/01-softmax/softmax.cpp:31" -> the place
std::string place_of_frame(const std::string& frame) {
  const std::size_t slash = frame.rfind('/');
  return slash == std::string::npos ? frame : frame.substr(slash + 1);
}

// The first frame with a line of a .cpp file, but not of the library's, which the student did not write.
std::string students_frame(const std::vector<std::string>& lines) {
  for (const std::string& line : lines)
    if (without_leading_spaces(line).starts_with('#') && contains(line, ".cpp:") && !contains(line, "/src/"))
      return line;
  return "";
}

// "/home/me/src/core/shape.cpp:42: check failed: i < extent: index 3 on axis 1" -> from "check failed" on. GoogleTest
// puts the message into quotes.
std::string without_place(const std::string& message) {
  const std::size_t at = message.find(": check failed: ");
  if (at == std::string::npos) return message;
  const std::size_t quote = message.rfind('"', at);
  const std::size_t begin = quote == std::string::npos ? 0 : quote + 1;
  return message.substr(0, begin) + message.substr(at + 2);
}

// "  what():  no such row" -> "no such row", and without it "terminate called after throwing an instance of 'int'" ->
// "an instance of 'int'"
std::string exception_message(const std::vector<std::string>& lines) {
  for (const std::string before : {"what():", "terminate called after throwing "}) {
    const std::string line = first_line_with(lines, before);
    if (!line.empty())
      return without_place(
          without_leading_spaces(line.substr(line.find(before) + before.size(), kMostCharacters)));
  }
  return "";
}

// "==12==ERROR: AddressSanitizer: heap-buffer-overflow on address ..." and the student's frame.
std::string sanitizer_message(const std::vector<std::string>& lines) {
  const std::string runtime_error = first_line_with(lines, ": runtime error: ");
  if (!runtime_error.empty()) return place_of_frame(runtime_error);
  const std::string thrown = exception_message(lines);
  for (const std::string sanitizer : {"AddressSanitizer: ", "ThreadSanitizer: "}) {
    const std::string error = first_line_with(lines, sanitizer);
    if (error.empty()) continue;
    std::string what = error.substr(error.find(sanitizer));
    what = what.substr(0, what.find(contains(error, " on unknown") ? " on unknown" : " on address"));
    if (!thrown.empty()) what = "an exception left the code: " + thrown;
    const std::string frame = students_frame(lines);
    return what + (frame.empty() ? "" : "\nat " + place_of_frame(frame));
  }
  return "";
}

// GoogleTest's own lines; a student's may begin with a bracket too.
bool is_of_googletest(const std::string& line) {
  for (const char* const mark : {"[ RUN  ", "[       OK", "[  FAILED", "[  PASSED", "[-----", "[====="})
    if (line.starts_with(mark)) return true;
  return false;
}

// Some lines of a message, with the rest left out.
class ShortText {
 public:
  void add(const std::string& line) {
    if (++count_ == kMostLines) text_ += "...\n";
    if (count_ < kMostLines) text_ += wrapped(line, kMostMessageColumns) + '\n';
  }
  const std::string& text() const { return text_; }

 private:
  std::size_t count_ = 0;
  std::string text_;
};

bool ends_the_printed(const std::string& line) {
  return contains(line, ": Failure") || contains(line, ": runtime error: ") ||
         line.starts_with("terminate called") || line.starts_with("=====") ||
         (line.starts_with("==") && contains(line, "ERROR: "));
}

// What the student's code printed before the failure: "It printed:", and the lines.
std::string printed(const std::vector<std::string>& lines) {
  ShortText text;
  const auto begins_test = [](const std::string& line) { return line.starts_with("[ RUN"); };
  bool inside = std::none_of(lines.begin(), lines.end(), begins_test);  // of a driver, which has no such line
  for (const std::string& line : lines) {
    if (line.starts_with("[  FAILED") || (inside && ends_the_printed(line))) break;
    if (inside && !line.empty() && !is_of_googletest(line)) text.add(line.substr(0, kMostCharacters));
    inside = inside || begins_test(line);
  }
  return text.text().empty() ? "" : "It printed:\n" + text.text();
}

// The lines of GoogleTest from the first failure on.
std::string expected_and_found(const std::vector<std::string>& lines) {
  ShortText text;
  bool inside = false;
  for (const std::string& line : lines) {
    if (line.starts_with("[  FAILED")) break;
    const bool is_place = contains(line, ": Failure");
    inside = inside || is_place;
    if (!inside || line.empty() || is_of_googletest(line)) continue;
    const bool is_a_test = is_place && contains(line, "/tests/");
    text.add(is_a_test ? line.substr(line.find("/tests/") + 1)
                       : without_place(line.substr(0, kMostCharacters)));
  }
  return text.text();
}

std::string of_timeout(const ProcessResult& result) {
  const std::string stopped = "it was " + result.ending() + ": does every loop end?";
  if (!result.waited) return stopped;
  return stopped +
         "\nIt had to wait, and has not used its time of the processor. Perhaps the machine is busy: close "
         "other programs and check again, or allow more time: `--seconds-factor 3`";
}

// A text, and another one below it.
std::string below(const std::string& text, const std::string& other) {
  return text + (other.empty() || text.empty() || text.ends_with('\n') ? "" : "\n") + other;
}

}  // namespace

std::string failed_test_of(const ProcessResult& result) {
  std::string running;
  for (const std::string& line : lines_of(result.output)) {
    if (line.starts_with("[       OK ] ")) running.clear();
    const bool has_failed = line.starts_with("[  FAILED  ] ");
    if (!has_failed && !line.starts_with("[ RUN      ] ")) continue;
    running = line.substr(line.find("] ") + 2);
    running = running.substr(0, running.find_first_of(" ,"));
    if (has_failed) break;
  }
  return running;
}

std::string failure_message(const ProcessResult& result) {
  const std::vector<std::string> lines = lines_of(result.output);
  const std::string not_written = first_line_with(lines, " is not written yet");
  if (!not_written.empty()) return not_written;
  if (result.timed_out) return of_timeout(result);
  const std::string sanitizer = sanitizer_message(lines);
  if (!sanitizer.empty()) return below(sanitizer, printed(lines));
  const std::string found = expected_and_found(lines), difference = found + printed(lines);
  if (result.signal != 0) return difference + "it ended with " + result.ending();
  if (result.succeeded()) return "the program ended before the test did";
  return difference.empty() ? "it ended with " + result.ending() : difference;
}

}  // namespace plainformer::course
