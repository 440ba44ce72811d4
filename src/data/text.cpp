#include "data/text.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <system_error>
#include <utility>

#include "core/input_error.h"
#include "core/strings.h"
#include "platform/platform.h"

namespace plainformer {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

void remove_line_decoration(std::string& line, bool is_first) {
  line.erase(line.find_last_not_of('\r') + 1);
  if (is_first && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
}

std::string read_standard_input() {
  constexpr std::size_t kBlock = 1 << 16;
  std::string text, block(kBlock, '\0');
  for (std::ptrdiff_t bytes; (bytes = read_bytes(/*file=*/0, block.data(), kBlock)) != 0;) {
    if (bytes < 0)
      throw input_error(kStandardInputName, "cannot be read: " + std::generic_category().message(errno),
                        "is it a folder?");
    text.append(block, 0, static_cast<std::size_t>(bytes));
  }
  return text;
}

}  // namespace

std::ifstream open_text_file(const std::string& path, std::uintmax_t max_bytes, bool may_be_pipe) {
  // The kind is checked first: opening a pipe waits for its writer.
  const std::optional<FileStatus> status = file_status(path);
  if (!status) throw input_error(path, "no such file, or no permission to see it", "check the path");
  if (status->kind == FileKind::kFolder) throw input_error(path, "is a folder", "name a text file");
  if (status->kind != FileKind::kRegular && !(may_be_pipe && status->kind == FileKind::kPipe))
    throw input_error(path, "is not a regular file", "write the text to a file first");
  const auto bytes = static_cast<std::uintmax_t>(status->bytes);
  if (bytes > max_bytes)
    throw input_error(path, "has " + std::to_string(bytes) + " bytes, more than " + std::to_string(max_bytes),
                      "is this the right file?");
  std::ifstream file(to_path(path), std::ios::binary);
  if (!file)
    throw input_error(path, "cannot be opened: " + std::generic_category().message(errno),
                      "check its permissions");
  return file;
}

std::string read_text_file(const std::string& path, std::uintmax_t max_bytes) {
  std::ifstream file = open_text_file(path, max_bytes);
  return {std::istreambuf_iterator<char>(file), {}};
}

LineReader::LineReader(std::istream& input, std::string name) : input_(input), name_(std::move(name)) {}

bool LineReader::next(std::string& line) {
  if (!std::getline(input_, line)) {
    if (input_.bad()) throw input_error(where(), "reading failed after this line", "check the disk");
    return false;
  }
  ++line_number_;
  remove_line_decoration(line, line_number_ == 1);
  if (const auto bad = text_problem(line)) throw input_error(where(), bad->problem, bad->hint);
  return true;
}

std::string LineReader::where() const {
  return name_ + ":" + std::to_string(line_number_);
}

std::vector<std::string> read_lines(const std::string& path, bool may_be_pipe) {
  std::ifstream file = open_text_file(path, UINTMAX_MAX, may_be_pipe);
  LineReader reader(file, path);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

void require_same_length(const std::string& path, std::size_t lines, const std::string& other_path,
                         std::size_t other_lines, const std::string& hint) {
  if (lines == other_lines) return;
  throw input_error(path,
                    "has " + std::to_string(lines) + (lines == 1 ? " line, but " : " lines, but ") +
                        other_path + " has " + std::to_string(other_lines),
                    hint);
}

const std::string& standard_input() {
  static const std::string text = read_standard_input();
  return text;
}

std::string sanitize_line(std::string line, bool is_first) {
  remove_line_decoration(line, is_first);
  std::string clean;
  for (const Character& c : characters_in(line))
    append_utf8(clean, c.value == 0 ? kReplacementCharacter : c.value);
  return clean;
}

std::optional<TextProblem> text_problem(std::string_view line) {
  if (line.starts_with("\xFF\xFE") || line.starts_with("\xFE\xFF"))  // byte order marks of UTF-16
    return TextProblem{"not valid UTF-8", "it is UTF-16; convert it with iconv -f UTF-16 -t UTF-8"};
  if (line.starts_with("\x1F\x8B")) return TextProblem{"not text but gzip", "write it out with zcat first"};
  if (line.starts_with("PK\x03\x04"))
    return TextProblem{"not text but an archive or a spreadsheet",
                       "save it as text, with a tab between columns"};
  if (!is_valid_utf8(line))
    return TextProblem{"not valid UTF-8",
                       "convert the file, if it is Western European with iconv -f WINDOWS-1252 -t UTF-8"};
  if (line.find('\0') != std::string_view::npos)
    return TextProblem{"contains a NUL byte", "is it a text file in UTF-8, not UTF-16 or binary?"};
  return std::nullopt;
}

std::vector<std::string_view> split_words(std::string_view line) {
  std::vector<std::string_view> words = split_at_spaces(line);
  std::erase_if(words, is_blank);
  return words;
}

std::vector<std::string_view> split_at_spaces(std::string_view line) {
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

bool is_blank(std::string_view line) {
  for (std::size_t at = 0; at < line.size();) {
    const Character character = decode_utf8(line, at);
    if (!is_white_space(character.value)) return false;
    at += character.bytes.size();
  }
  return true;
}

}  // namespace plainformer
