#include "core/number_stream.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <locale>
#include <sstream>

namespace plainformer {

namespace {

// digits[0].digits[1]digits[2]... * 10^exponent
struct Decimal {
  std::string digits;
  int exponent = 0;
};

Decimal rounded(double magnitude, int digits) {
  const std::string text = streamed_text(magnitude, std::ios_base::scientific, digits - 1);  // "1.25e+02"
  const std::size_t e = text.find('e');
  std::string all = text.substr(0, e);
  std::erase(all, '.');
  return {all, std::stoi(text.substr(e + 1))};
}

Decimal next_above(Decimal decimal) {
  const std::size_t last = decimal.digits.find_last_not_of('9');
  if (last == std::string::npos)
    return {"1" + std::string(decimal.digits.size() - 1, '0'), decimal.exponent + 1};
  ++decimal.digits[last];
  std::fill(decimal.digits.begin() + static_cast<std::ptrdiff_t>(last) + 1, decimal.digits.end(), '0');
  return decimal;
}

std::string power_of_ten(int exponent) {
  const std::string digits = std::to_string(std::abs(exponent));
  return (exponent < 0 ? "e-" : "e+") + std::string(digits.size() < 2 ? 1 : 0, '0') + digits;
}

std::string scientific_text(const Decimal& decimal) {
  const std::string point = decimal.digits.size() > 1 ? "." : "";
  return decimal.digits.substr(0, 1) + point + decimal.digits.substr(1) + power_of_ten(decimal.exponent);
}

std::string fixed_text(double magnitude, const Decimal& decimal) {
  const int size = static_cast<int>(decimal.digits.size());
  if (decimal.exponent < 0)
    return "0." + std::string(static_cast<std::size_t>(-decimal.exponent - 1), '0') + decimal.digits;
  if (size <= decimal.exponent + 1) return streamed_text(magnitude, std::ios_base::fixed, 0);
  std::string text = decimal.digits;
  return text.insert(static_cast<std::size_t>(decimal.exponent) + 1, ".");
}

// The shortest decimal that reads back as this number, and the nearest of that length. For each length we try
// the rounded decimal, then the next larger one: just above a power of two, only that one may read back.
template <typename Number>
Decimal shortest(Number magnitude) {
  using Limits = std::numeric_limits<Number>;
  // Every decimal of digits10 digits survives the way to a normal number and back. A shorter one then ends in
  // zeros, so the search begins there.
  const bool normal = magnitude >= Limits::min();
  for (int digits = normal ? Limits::digits10 : 1; digits < Limits::max_digits10; ++digits) {
    const Decimal nearest = rounded(magnitude, digits);
    for (const Decimal& decimal : {nearest, next_above(nearest)}) {
      if (parse_streamed_number<Number>(scientific_text(decimal)) == magnitude) return decimal;
    }
  }
  return rounded(magnitude, Limits::max_digits10);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

// Removes the digits at the text's beginning, and returns their number.
std::size_t skip_digits(std::string_view& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(digits);
  return digits;
}

bool is_decimal(std::string_view text) {
  std::size_t digits = skip_digits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    digits += skip_digits(text);
  }
  if (digits == 0) return false;
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(1);
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return skip_digits(text) > 0 && text.empty();
}

}  // namespace

std::string streamed_text(double number, std::ios_base::fmtflags format, int precision) {
  if (std::isnan(number)) return std::signbit(number) ? "-nan" : "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  std::ostringstream stream;
  stream.imbue(std::locale::classic());
  stream.setf(format, std::ios_base::floatfield);
  stream.precision(precision);
  stream << number;
  return stream.str();
}

template <typename Number>
std::string shortest_streamed_text(Number number) {
  if (!std::isfinite(number)) return streamed_text(number, {}, 0);
  const std::string sign = std::signbit(number) ? "-" : "";
  if (number == 0) return sign + "0";
  const Number magnitude = std::abs(number);
  Decimal decimal = shortest(magnitude);
  decimal.digits.resize(decimal.digits.find_last_not_of('0') + 1);
  const std::string fixed = fixed_text(magnitude, decimal), scientific = scientific_text(decimal);
  return sign + (fixed.size() <= scientific.size() ? fixed : scientific);
}

template <typename Number>
std::optional<Number> parse_streamed_number(std::string_view text) {
  using Limits = std::numeric_limits<Number>;
  const bool negative = text.starts_with('-');
  const std::string magnitude = lower_case(text.substr(negative ? 1 : 0));
  if (magnitude == "inf" || magnitude == "infinity")
    return negative ? -Limits::infinity() : Limits::infinity();
  if (magnitude == "nan") return std::copysign(Limits::quiet_NaN(), negative ? Number(-1) : Number(1));
  if (!is_decimal(magnitude)) return std::nullopt;
  std::istringstream stream(magnitude);
  stream.imbue(std::locale::classic());
  Number number = 0;
  stream >> number;
  // Libraries differ in whether a subnormal number is a failure, and in what is left of one that is too
  // large.
  const bool too_large = std::isinf(number) || (stream.fail() && number == Limits::max());
  const bool nonzero = magnitude.find_first_of("123456789") < magnitude.find('e');
  if (too_large || (number == 0 && nonzero)) return std::nullopt;
  return negative ? -number : number;
}

template std::string shortest_streamed_text(float);
template std::string shortest_streamed_text(double);
template std::optional<float> parse_streamed_number(std::string_view);
template std::optional<double> parse_streamed_number(std::string_view);

}  // namespace plainformer
