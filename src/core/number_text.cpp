#include "core/number_text.h"

#include <array>
#include <cmath>
#include <limits>
#include <locale>
#include <sstream>

namespace plainformer {

namespace {

// parse_number by a stream: in the classic locale it is the same everywhere.
template <typename Number>
std::optional<Number> parse_by_stream(const std::string& text) {
  using Limits = std::numeric_limits<Number>;
  if (text == "inf") return Limits::infinity();
  if (text == "-inf") return -Limits::infinity();
  if (text == "nan" || text == "-nan") return Limits::quiet_NaN();
  if (text.starts_with('+') || text.find_first_not_of("0123456789.eE+-") != std::string::npos)
    return std::nullopt;
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  Number number = 0;
  stream >> number;
  // Libraries differ in whether a subnormal number is a failure, and in what is left of one that is too
  // large.
  const bool too_large = std::isinf(number) || (stream.fail() && std::abs(number) == Limits::max());
  const bool spells_zero = text.find_first_of("123456789") >= text.find_first_of("eE");
  const bool too_small = number == 0 && (stream.fail() || !spells_zero);
  return too_large || too_small || !stream.eof() ? std::nullopt : std::optional(number);
}

#ifdef __cpp_lib_to_chars

template <typename Number>
std::string shortest_text_of(Number number) {
  std::array<char, 32> text;  // long enough for every double in its shortest form
  return std::string(text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr);
}

std::string text_of(double number, std::chars_format format, int precision) {
  if (std::isnan(number)) return "nan";                               // without its sign, which means nothing
  std::string text(static_cast<std::size_t>(330 + precision), '\0');  // the largest double has 309 digits
  char* const end = std::to_chars(text.data(), text.data() + text.size(), number, format, precision).ptr;
  text.resize(static_cast<std::size_t>(end - text.data()));
  return text;
}

using Format = std::chars_format;

template <typename Number>
std::optional<Number> parse(std::string_view text) {
  Number number = {};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (stop != end) return std::nullopt;
  return error == std::errc() ? std::optional(number) : parse_by_stream<Number>(std::string(text));
}

#else

struct Format {
  static constexpr std::ios_base::fmtflags fixed = std::ios_base::fixed,
                                           scientific = std::ios_base::scientific, general = {};
};

std::string text_of(double number, std::ios_base::fmtflags format, int precision) {
  if (!std::isfinite(number)) return std::isnan(number) ? "nan" : number < 0 ? "-inf" : "inf";
  std::ostringstream stream;
  stream.imbue(std::locale::classic());
  stream.setf(format, std::ios_base::floatfield);
  stream.precision(precision);
  stream << number;
  return stream.str();
}

// Every decimal of digits10 digits survives the way to a normal number and back, so the search begins there.
template <typename Number>
std::string shortest_text_of(Number number) {
  using Limits = std::numeric_limits<Number>;
  int digits = Limits::digits10;
  std::string text = text_of(number, Format::general, digits);
  while (digits < Limits::max_digits10 && parse_by_stream<Number>(text) != number)
    text = text_of(number, Format::general, ++digits);
  return text;
}

template <typename Number>
std::optional<Number> parse(std::string_view text) {
  return parse_by_stream<Number>(std::string(text));
}

#endif

}  // namespace

std::string shortest_text(float number) {
  return shortest_text_of(number);
}

std::string shortest_text(double number) {
  return shortest_text_of(number);
}

std::string fixed_text(double number, int decimals) {
  return text_of(number, Format::fixed, decimals);
}

std::string scientific_text(double number, int decimals) {
  return text_of(number, Format::scientific, decimals);
}

std::string general_text(double number, int digits) {
  return text_of(number, Format::general, digits);
}

template <>
std::optional<float> parse_number(std::string_view text) {
  return parse<float>(text);
}

template <>
std::optional<double> parse_number(std::string_view text) {
  return parse<double>(text);
}

}  // namespace plainformer
