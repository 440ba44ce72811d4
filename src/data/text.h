// Text files and text lines as untrusted input. Lines end at '\n' alone (never at U+2028 or U+0085), so that
// line i of one file stays opposite line i of the other. Words end at ASCII space and at a stray carriage
// return, as in subword-nmt: U+00A0 in "10 000" joins, and the text keeps it. But white space alone is not a
// word, whatever its kind, so a line of tabs or of U+3000 is an empty line.
#pragma once

#include <cstdint>
#include <fstream>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/real.h"

namespace plainformer {

// Opens a text file, whose path is UTF-8. A missing file, a folder or a device is an input_error, and so is a
// file over `max_bytes`, or a pipe unless it `may_be_pipe`: a pipe cannot be read twice.
std::ifstream open_text_file(const std::string& path, std::uintmax_t max_bytes = UINTMAX_MAX,
                             bool may_be_pipe = false);

std::string read_text_file(const std::string& path, std::uintmax_t max_bytes);

// Reads lines one at a time, without '\n', without carriage returns at their end, the first without a byte
// order mark. The last line may lack its newline, and a final newline does not start another line. A line
// with a text_problem is an input_error that names file and line.
class LineReader {
 public:
  // `input` must outlive the reader; `name` is the file's, for messages.
  LineReader(std::istream& input, std::string name);

  bool next(std::string& line);  // false at the end
  Index line_number() const { return line_number_; }
  std::string where() const;  // "corpus.en:17", the line that next() gave last

 private:
  std::istream& input_;
  std::string name_;
  Index line_number_ = 0;
};

std::vector<std::string> read_lines(const std::string& path, bool may_be_pipe = false);

// input_error, which names both, unless two texts that belong together have as many lines.
void require_same_length(const std::string& path, std::size_t lines, const std::string& other_path,
                         std::size_t other_lines,
                         const std::string& hint = "line i of one file belongs to line i of the other");

// All of standard input. The first call reads it and keeps it, because it cannot be read twice. input_error
// if it cannot be read.
const std::string& standard_input();
inline constexpr const char* kStandardInput = "-";                   // as a path
inline constexpr const char* kStandardInputName = "standard input";  // in messages
inline std::string name_of_input(const std::string& path) {
  return path == kStandardInput ? kStandardInputName : path;
}

// The lenient counterpart of LineReader, for `translate`, which must answer every line with a line. Removes
// carriage returns at the end and, from the first line of the text, a byte order mark; replaces NUL bytes and
// each byte that is not UTF-8 by U+FFFD. Never throws an input_error.
std::string sanitize_line(std::string line, bool is_first = false);

// The reason why a line is not text: invalid UTF-8, a NUL byte, or the beginning of a compressed file.
struct TextProblem {
  const char* problem;
  const char* hint;
};
std::optional<TextProblem> text_problem(std::string_view line);

// The words of a line: views into it, none of which is white space alone.
std::vector<std::string_view> split_words(std::string_view line);

// The text between the spaces of a line, even if it is other white space: the words of subword-nmt.
std::vector<std::string_view> split_at_spaces(std::string_view line);

// Has the line no words?
bool is_blank(std::string_view line);

}  // namespace plainformer
