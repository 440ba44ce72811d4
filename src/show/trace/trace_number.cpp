#include "show/trace/trace_number.h"

#include <algorithm>
#include <cmath>

#include "core/number_text.h"
#include "report/number_format.h"

namespace plainformer {

namespace {

constexpr double kLargestFixed = 1e7, kSmallestFixed = 1e-5;

}  // namespace

NumberStyle::NumberStyle(double largest, bool integers) {
  if (largest == 0) return;
  scientific_ = largest >= kLargestFixed || largest < kSmallestFixed;
  const int magnitude = static_cast<int>(std::floor(std::log10(largest)));  // 0 for 1 to 10
  if (!integers || scientific_) decimals_ = std::clamp(magnitude >= 0 ? 3 - magnitude : 2 - magnitude, 0, 8);
}

NumberStyle NumberStyle::of(const Tensor& values) {
  double largest = 0;
  bool integers = true;
  for (Index i = 0; i < values.size(); ++i) {
    const auto value = static_cast<double>(values.data()[i]);
    if (!std::isfinite(value)) continue;
    largest = std::max(largest, std::abs(value));
    integers = integers && value == std::floor(value);
  }
  return NumberStyle(largest, integers);
}

NumberStyle NumberStyle::of(double value) {
  return NumberStyle(std::isfinite(value) ? std::abs(value) : 0, value == std::floor(value));
}

NumberStyle NumberStyle::up_to(double largest) {
  return NumberStyle(std::isfinite(largest) ? largest : 0, /*integers=*/false);
}

std::string NumberStyle::write(double value) const {
  if (value == 0) return "0";
  if (!std::isfinite(value)) return format_fixed(value, 0);
  if (scientific_) return scientific_text(value, 2);
  const std::string text = format_fixed(value, decimals_);
  const bool rounds_to_zero = text.find_first_not_of("-0.") == std::string::npos;
  return rounds_to_zero && text.front() == '-' ? text.substr(1) : text;
}

std::string write_number(double value) {
  return NumberStyle::of(value).write(value);
}

std::array<std::pair<std::string, std::string>, 5> write_statistics(const TensorStatistics& statistics) {
  const auto& [min, mean, max, deviation, norm] = statistics;
  const NumberStyle style = NumberStyle::up_to(std::max(std::abs(min), std::abs(max)));
  return {{{"min", write_number(min)},
           {"mean", style.write(mean)},
           {"max", write_number(max)},
           {"deviation", write_number(deviation)},
           {"norm", write_number(norm)}}};
}

}  // namespace plainformer
