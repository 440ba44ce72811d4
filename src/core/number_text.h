// Numbers as text that loses nothing, and back. The locale makes no difference.
//
// Streams do what the library's <charconv> cannot: GCC 11's reads no subnormal numbers, LLVM's reads no
// floating-point numbers before version 20 and writes none before 14 (Apple's before macOS 13.3). But MinGW's
// streams round one number in a few hundred wrongly, so <charconv> comes first.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace plainformer {

// The fewest digits that parse_number reads back as the same number of that type: "0.1", "1e-09", "inf".
// (Where the library has no std::to_chars for them, a number may be longer, but never less exact.)
std::string shortest_text(float number);
std::string shortest_text(double number);

// The number rounded, as printf writes it with "%.*f", "%.*e" and "%.*g"; or "nan", "inf", "-inf".
std::string fixed_text(double number, int decimals);
std::string scientific_text(double number, int decimals);
std::string general_text(double number, int digits);

// The number that the whole text spells, in the notation of std::from_chars: no white space, no leading '+'.
// std::nullopt for any other text, and for a number that the type cannot hold.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number = {};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}
template <>
std::optional<float> parse_number(std::string_view text);
template <>
std::optional<double> parse_number(std::string_view text);

}  // namespace plainformer
