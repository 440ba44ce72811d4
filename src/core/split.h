// The parts of a text between separators, and back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plainformer {

// "a,,b" at ',' -> "a", "" and "b". One part more than separators, so an empty text has one empty part.
inline std::vector<std::string> split_at(char separator, std::string_view text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// The parts with the separator between them: "a, b".
inline std::string join(std::string_view separator, const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) text += separator;
    text += part;
  }
  return text;
}

}  // namespace plainformer
