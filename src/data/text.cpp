#include "data/text.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "core/input_error.h"
#include "core/utf8.h"

namespace plainformer {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

void remove_line_decoration(std::string& line, bool is_first) {
  line.erase(line.find_last_not_of('\r') + 1);
  if (is_first && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
}

}  // namespace

std::ifstream open_text_file(const std::filesystem::path& path, std::uintmax_t max_bytes) {
  // The kind is checked first: opening a pipe would wait for its writer.
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    throw input_error(path.string(), "no such file, or no permission to see it", "check the path");
  }
  if (std::filesystem::is_directory(status)) {
    throw input_error(path.string(), "is a folder", "name a text file");
  }
  if (!std::filesystem::is_regular_file(status)) {
    throw input_error(path.string(), "is not a regular file", "write the text to a file first");
  }
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (!error && bytes > max_bytes) {
    throw input_error(path.string(),
                      "has " + std::to_string(bytes) + " bytes, more than " + std::to_string(max_bytes),
                      "is this the right file?");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw input_error(path.string(), "cannot be opened: " + std::generic_category().message(errno),
                      "check its permissions");
  }
  return file;
}

LineReader::LineReader(std::istream& input, std::string name) : input_(input), name_(std::move(name)) {}

bool LineReader::next(std::string& line) {
  if (!std::getline(input_, line)) {
    if (input_.bad()) throw input_error(where(), "reading failed after this line", "check the disk");
    return false;
  }
  ++line_number_;
  remove_line_decoration(line, line_number_ == 1);
  if (!is_valid_utf8(line))
    throw input_error(where(), "not valid UTF-8", "convert the file with iconv -t UTF-8");
  if (line.find('\0') != std::string::npos) {
    throw input_error(where(), "contains a NUL byte", "is it a text file in UTF-8, not UTF-16 or binary?");
  }
  return true;
}

std::string LineReader::where() const {
  return name_ + ":" + std::to_string(line_number_);
}

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  std::ifstream file = open_text_file(path);
  LineReader reader(file, path.string());
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

std::string sanitize_line(std::string line, bool is_first) {
  remove_line_decoration(line, is_first);
  std::string clean;
  for (std::size_t at = 0; at < line.size();) {
    const CodePoint code_point = decode_utf8(line, at);
    append_utf8(clean, code_point.value == 0 ? kReplacementCharacter : code_point.value);
    at += code_point.bytes;
  }
  return clean;
}

std::vector<std::string_view> split_words(std::string_view line) {
  constexpr std::string_view kSeparators = " \r";
  std::vector<std::string_view> words;
  std::size_t begin = line.find_first_not_of(kSeparators);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(kSeparators, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kSeparators, end);
  }
  return words;
}

}  // namespace plainformer
