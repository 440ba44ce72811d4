#include "text.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

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

std::string error_of_log(const std::string& log) {
  constexpr std::size_t kShown = 15, kBefore = 2;  // ar and ld do not say "error": make says it behind them
  const std::vector<std::string> lines = lines_of(log);
  std::size_t first = 0;
  while (first < lines.size() && lines[first].find("rror") == std::string::npos) ++first;
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
