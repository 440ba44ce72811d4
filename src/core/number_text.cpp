#include "core/number_text.h"

#include <array>
#include <ios>

#include "core/number_stream.h"

namespace plainformer {

#ifdef __cpp_lib_to_chars

namespace {

template <typename Number>
std::string shortest_text_of(Number number) {
  std::array<char, 32> text;  // long enough for every double in its shortest form
  return std::string(text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr);
}

std::string text_of(double number, std::chars_format format, int precision) {
  std::string text(static_cast<std::size_t>(330 + precision), '\0');  // the largest double has 309 digits
  char* const end = std::to_chars(text.data(), text.data() + text.size(), number, format, precision).ptr;
  text.resize(static_cast<std::size_t>(end - text.data()));
  return text;
}

template <typename Number>
std::optional<Number> parse(std::string_view text) {
  Number number = {};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (stop != end) return std::nullopt;
  // GCC 11's library calls a subnormal number out of range.
  return error == std::errc() ? std::optional(number) : parse_streamed_number<Number>(text);
}

}  // namespace

std::string fixed_text(double number, int decimals) {
  return text_of(number, std::chars_format::fixed, decimals);
}

std::string scientific_text(double number, int decimals) {
  return text_of(number, std::chars_format::scientific, decimals);
}

std::string general_text(double number, int digits) {
  return text_of(number, std::chars_format::general, digits);
}

#else

namespace {

template <typename Number>
std::string shortest_text_of(Number number) {
  return shortest_streamed_text(number);
}

template <typename Number>
std::optional<Number> parse(std::string_view text) {
  return parse_streamed_number<Number>(text);
}

}  // namespace

std::string fixed_text(double number, int decimals) {
  return streamed_text(number, std::ios_base::fixed, decimals);
}

std::string scientific_text(double number, int decimals) {
  return streamed_text(number, std::ios_base::scientific, decimals);
}

std::string general_text(double number, int digits) {
  return streamed_text(number, {}, digits);
}

#endif

std::string shortest_text(float number) {
  return shortest_text_of(number);
}

std::string shortest_text(double number) {
  return shortest_text_of(number);
}

namespace detail {

std::optional<float> parse_float(std::string_view text) {
  return parse<float>(text);
}

std::optional<double> parse_double(std::string_view text) {
  return parse<double>(text);
}

}  // namespace detail

}  // namespace plainformer
