#include "failure_message.h"

#include <algorithm>
#include <vector>

#include "report/command_line.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr std::size_t kMostLines = 12, kMostCharacters = 1'000;

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

// "/home/me/src/core/shape.cpp:42: check failed: i < extent: index 3 on axis 1" -> from "check failed" on
std::string without_place(const std::string& message) {
  const std::size_t at = message.find(": check failed: ");
  return at == std::string::npos ? message : message.substr(at + 2);
}

// "  what():  no such row" -> "no such row", and without it "terminate called after throwing an instance of
// 'int'" -> "an instance of 'int'"
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
  if (!runtime_error.empty()) return place_of_frame(runtime_error) + "\n";
  const std::string thrown = exception_message(lines);
  for (const std::string sanitizer : {"AddressSanitizer: ", "ThreadSanitizer: "}) {
    const std::string error = first_line_with(lines, sanitizer);
    if (error.empty()) continue;
    std::string what = error.substr(error.find(sanitizer));
    what = what.substr(0, what.find(contains(error, " on unknown") ? " on unknown" : " on address"));
    if (!thrown.empty()) what = "an exception left the code: " + thrown;
    const std::string frame = students_frame(lines);
    return what + (frame.empty() ? "" : "\nat " + place_of_frame(frame)) + "\n";
  }
  return thrown.empty() ? "" : "an exception left the code: " + thrown + "\n";
}

// The lines before a failure that are the student's own: "It printed:", and the first of them.
std::string printed(const std::vector<std::string>& lines) {
  std::string text;
  std::size_t count = 0;
  for (const std::string& line : lines) {
    const bool ends = contains(line, ": runtime error: ") || line.starts_with("terminate called") ||
                      line.starts_with("=====") || (line.starts_with("==") && contains(line, "ERROR: "));
    if (ends) break;
    if (++count == kMostLines) text += "...\n";
    if (count < kMostLines) text += line.substr(0, kMostCharacters) + "\n";
  }
  return text.empty() ? "" : "It printed:\n" + text;
}

// GoogleTest's lines from the name of the first test that fails, or that runs at the end.
std::string failed_test(const std::vector<std::string>& lines) {
  std::string test, text;
  std::size_t count = 0;
  for (const std::string& line : lines) {
    if (line.starts_with("[ RUN      ] ")) {
      test = line.substr(line.find("] ") + 2);
      text.clear();
    } else if (line.starts_with("[       OK ]")) {
      test.clear();
    } else if (line.starts_with("[  FAILED  ]")) {
      break;
    } else if (!test.empty() && !line.empty() && count++ < kMostLines) {
      text += line.substr(0, kMostCharacters) + "\n";
    }
  }
  return test.empty() ? "" : test + " does not pass:\n" + text;
}

}  // namespace

bool may_be_the_machine(const ProcessResult& result) {
  // A program that computes has some of the processor's time, on the busiest machine; one that sleeps would
  // wait on any.
  constexpr double kLeastShare = 0.02;
  constexpr int kKilled = 9;
  const bool did_nothing = result.cpu_seconds > 0 && result.cpu_seconds < kLeastShare * result.seconds;
  return (result.waited && !did_nothing) || (result.signal == kKilled && !result.timed_out);
}

std::string failure_message(const ProcessResult& result) {
  const std::vector<std::string> lines = lines_of(result.output);
  const std::string not_written = first_line_with(lines, " is not written yet");
  if (!not_written.empty()) return not_written;
  if (result.timed_out)
    return "it was " + result.ending() + ": does every loop end?" +
           (may_be_the_machine(result)
                ? "\nIt had to wait for a processor: close other programs, or allow more "
                  "time with `--seconds-factor 3`"
                : "");
  const std::string test = failed_test(lines);
  if (!test.empty()) return test;
  const std::string sanitizer = sanitizer_message(lines);
  return sanitizer + printed(lines) + (sanitizer.empty() ? "it ended with " + result.ending() : "");
}

}  // namespace plainformer::course
