#include "text.h"

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
    result += rest.substr(0, is_cut ? columns : space) + '\n';
    rest.erase(0, is_cut ? columns : space + 1);
  }
  return result + rest;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

}  // namespace plainformer::course
