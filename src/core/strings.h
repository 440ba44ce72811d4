// Strings: UTF-8, one code point at a time, and the parts between separators. Text comes from users:
// malformed bytes are detected and preserved.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plainformer {

inline constexpr char32_t kReplacementCharacter = 0xFFFD;

// A code point of a text, and its 1 to 4 bytes, which are a view into the text.
struct Character {
  char32_t value;
  std::string_view bytes;

  // A byte that starts no valid sequence is U+FFFD of one byte; a real U+FFFD has 3.
  bool is_malformed() const { return value == kReplacementCharacter && bytes.size() == 1; }
};

// The code point that starts at `position` < text.size(). Overlong forms, surrogates and values above
// U+10FFFF are malformed.
Character decode_utf8(std::string_view text, std::size_t position);

// All code points of a text.
std::vector<Character> characters_in(std::string_view text);

bool is_valid_utf8(std::string_view text);

// The 25 characters with Unicode's property White_Space (PropList.txt of Unicode 16): space, tab, U+00A0,
// U+3000, ...
bool is_white_space(char32_t value);

// Appends the 1 to 4 bytes of `value`.
void append_utf8(std::string& text, char32_t value);

// "a,,b" at ',' -> "a", "" and "b". One part more than separators, so an empty text has one empty part.
std::vector<std::string> split_at(char separator, std::string_view text);

// The parts with the separator between them: "a, b".
std::string join(std::string_view separator, const std::vector<std::string>& parts);

}  // namespace plainformer
