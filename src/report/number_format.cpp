#include "report/number_format.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/number_text.h"

namespace plainformer {

namespace {

std::string two_digits(Index value) {
  return (value < 10 ? "0" : "") + std::to_string(value);
}

}  // namespace

std::string format_fixed(double value, int decimals) {
  if (std::isnan(value)) return "nan";  // without its sign, which means nothing
  return fixed_text(value, decimals);
}

std::string format_count(double count) {
  constexpr std::array<const char*, 5> kUnits = {"", "k", "M", "G", "T"};
  const double magnitude = std::abs(count);
  std::size_t unit = 0;
  double scaled = magnitude;
  while (scaled >= 999.5 && unit + 1 < kUnits.size()) {  // 999.5 would round to "1000"
    scaled /= 1000;
    ++unit;
  }
  const int decimals = unit == 0 || scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2;
  return (count < 0 ? "-" : "") + format_fixed(scaled, decimals) + kUnits[unit];
}

std::string count_of(Index count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many.empty() ? one + "s" : many);
}

std::string format_duration(double seconds) {
  if (!(seconds >= 0 && seconds < 1e9)) return "-:--";
  const auto total = static_cast<Index>(seconds);
  const Index days = total / 86400;
  const Index hours = total / 3600 % 24;
  const Index minutes = total / 60 % 60;
  const std::string tail = two_digits(total % 60);
  if (days > 0)
    return std::to_string(days) + " d " + two_digits(hours) + ":" + two_digits(minutes) + ":" + tail;
  if (hours > 0) return std::to_string(hours) + ":" + two_digits(minutes) + ":" + tail;
  return std::to_string(minutes) + ":" + tail;
}

std::string format_rough_duration(double seconds) {
  constexpr double kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
  const auto in = [&](double unit, const char* name) {
    const double count = seconds / unit;
    if (unit > kMinute && count < 9.95) return format_fixed(count, 1) + " " + name + "s";
    return count_of(std::max<Index>(1, static_cast<Index>(std::lround(count))), name);
  };
  if (!(seconds >= 0 && seconds < 1e12)) return "an unknown time";
  if (seconds < 100) return in(1, "second");
  if (seconds < 100 * kMinute) return in(kMinute, "minute");
  return seconds < 2 * kDay ? in(kHour, "hour") : in(kDay, "day");
}

}  // namespace plainformer
