// Numbers as text that loses nothing, and back. The locale makes no difference.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace plainformer {

// The fewest digits that parse_number reads back as the same number of that type: "0.1", "1e-09", "inf".
std::string shortest_text(float number);
std::string shortest_text(double number);

// The number rounded, as printf writes it with "%.*f", "%.*e" and "%.*g".
std::string fixed_text(double number, int decimals);
std::string scientific_text(double number, int decimals);
std::string general_text(double number, int digits);

namespace detail {
std::optional<float> parse_float(std::string_view text);
std::optional<double> parse_double(std::string_view text);
}  // namespace detail

// The number that the whole text spells, in the notation of std::from_chars: no white space, no leading '+'.
// std::nullopt for any other text, and for a number that the type cannot hold.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  if constexpr (std::is_same_v<Number, float>) {
    return detail::parse_float(text);
  } else if constexpr (std::is_same_v<Number, double>) {
    return detail::parse_double(text);
  } else {
    Number number = {};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end) return std::nullopt;
    return number;
  }
}

}  // namespace plainformer
