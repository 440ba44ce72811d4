#include "core/strings.h"

namespace plainformer {

Character decode_utf8(std::string_view text, std::size_t position) {
  const Character malformed = {kReplacementCharacter, text.substr(position, 1)};
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};  // by length: anything smaller is overlong

  const auto first = static_cast<unsigned char>(text[position]);
  if (first < 0x80) return {first, text.substr(position, 1)};
  if (first < 0xC2 || first > 0xF4) return malformed;

  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (text.size() - position < length) return malformed;
  char32_t value = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[position + i]);
    if ((next & 0xC0u) != 0x80u) return malformed;
    value = value << 6 | (next & 0x3Fu);
  }
  const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[length] || is_surrogate || value > 0x10FFFF) return malformed;
  return {value, text.substr(position, length)};
}

std::vector<Character> characters_in(std::string_view text) {
  std::vector<Character> characters;
  for (std::size_t at = 0; at < text.size(); at += characters.back().bytes.size())
    characters.push_back(decode_utf8(text, at));
  return characters;
}

bool is_valid_utf8(std::string_view text) {
  for (std::size_t position = 0; position < text.size();) {
    const Character character = decode_utf8(text, position);
    if (character.is_malformed()) return false;
    position += character.bytes.size();
  }
  return true;
}

bool is_white_space(char32_t value) {
  const bool is_ascii = (value >= 0x09 && value <= 0x0D) || value == 0x20;
  const bool is_general = (value >= 0x2000 && value <= 0x200A) || value == 0x2028 || value == 0x2029;
  return is_ascii || value == 0x85 || value == 0xA0 || value == 0x1680 || is_general || value == 0x202F ||
         value == 0x205F || value == 0x3000;
}

void append_utf8(std::string& text, char32_t value) {
  if (value < 0x80) {
    text += static_cast<char>(value);
    return;
  }
  const int continuations = value < 0x800 ? 1 : value < 0x10000 ? 2 : 3;
  const char32_t lead = continuations == 1 ? 0xC0 : continuations == 2 ? 0xE0 : 0xF0;
  text += static_cast<char>(lead | value >> (6 * continuations));
  for (int i = continuations - 1; i >= 0; --i) text += static_cast<char>(0x80 | (value >> (6 * i) & 0x3F));
}

std::vector<std::string> split_at(char separator, std::string_view text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::string join(std::string_view separator, const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) text += separator;
    text += part;
  }
  return text;
}

}  // namespace plainformer
