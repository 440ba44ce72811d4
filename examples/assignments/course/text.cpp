#include "text.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

#include "core/strings.h"

namespace plainformer::course {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream input(text);
  for (std::string line; std::getline(input, line);) lines.push_back(line);
  return lines;
}

bool starts_with_one_of(std::string_view text, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return text.starts_with(prefix); });
}

std::string read_text(const std::filesystem::path& file) {
  std::ifstream input(file, std::ios::binary);
  std::ostringstream text;
  text << input.rdbuf();
  return text.str();
}

std::filesystem::path path_of(const std::string& text) {
  return std::u8string(text.begin(), text.end());
}

std::string text_of(const std::filesystem::path& path) {
  const std::u8string text = path.generic_u8string();
  return {text.begin(), text.end()};
}

std::string wrapped(const std::string& text, std::size_t columns) {
  std::string result;
  std::string rest = text;
  while (rest.size() > columns) {
    const std::size_t space = rest.rfind(' ', columns);
    const bool is_cut = space == std::string::npos || space == 0;
    std::size_t end = is_cut ? columns : space;
    while (is_cut && end > 1 && (static_cast<unsigned char>(rest[end]) & 0xC0) == 0x80)
      --end;  // within a character
    result += rest.substr(0, end) + '\n';
    rest.erase(0, is_cut ? end : space + 1);
  }
  return result + rest;
}

namespace {

bool xml_allows(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xFFFE && c != 0xFFFF);
}

bool is_markup(char32_t c) {
  return c < 0x80 && std::string_view("&<>\"'").find(static_cast<char>(c)) != std::string_view::npos;
}

}  // namespace

std::string escaped_for_xml(const std::string& text) {
  std::string escaped;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode_utf8(text, at);
    at += c.bytes;
    if (!xml_allows(c.value))
      append_utf8(escaped, kReplacementCharacter);
    else if (c.value < 0x20 || is_markup(c.value))
      escaped += "&#" + std::to_string(static_cast<unsigned>(c.value)) + ";";
    else
      append_utf8(escaped, c.value);
  }
  return escaped;
}

namespace {

// As compilers, CMake, make and ninja write one. (Names of files may hold "error", too.)
bool tells_of_error(const std::string& line) {
  for (const char* const sign : {"error: ", "CMake Error", "] Error ", "FAILED: "})
    if (line.find(sign) != std::string::npos) return true;
  return false;
}

}  // namespace

std::string error_of_log(const std::string& log) {
  constexpr std::size_t kShown = 15, kBefore = 2;  // ar and ld do not say "error": make says it behind them
  const std::vector<std::string> lines = lines_of(log);
  std::size_t first = 0;
  while (first < lines.size() && !tells_of_error(lines[first])) ++first;
  first =
      first < lines.size() ? first - std::min(first, kBefore) : lines.size() - std::min(lines.size(), kShown);
  std::string text;
  for (std::size_t i = first; i < std::min(lines.size(), first + kShown); ++i) text += lines[i] + '\n';
  return text;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

}  // namespace plainformer::course
