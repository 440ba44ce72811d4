#include "show/pictures/chart_axis.h"

#include <algorithm>
#include <cmath>

#include "core/real.h"

namespace plainformer {

namespace {

constexpr double kRounding = 1e-9;       // a value that exceeds its tick by rounding needs no further tick
constexpr double kRoom = 0.04;           // at each end of a logarithmic axis, as a share of it
constexpr double kMostDecades = 10;      // with a tick each
constexpr double kNearestTicks = 0.055;  // shares of a logarithmic axis

// Not every system's pow gives the double nearest to 0.01. Up to 10^22 a power is exact, and a quotient is the
// nearest double.
double power_of_ten(double exponent) {
  return exponent < 0 ? 1 / std::pow(10, -exponent) : std::pow(10, exponent);
}

double round_step(double rough) {
  const double power = power_of_ten(std::floor(std::log10(rough)));
  const double factor = rough / power;
  return (factor <= 1.5 ? 1 : factor <= 3.5 ? 2 : factor <= 7.5 ? 5 : 10) * power;
}

// 1, 2 and 5 times each power of ten from low to high; only the powers if there are many, and of very many only
// each n-th.
std::vector<double> decades(double low, double high) {
  const double first = std::floor(std::log10(low)), last = std::ceil(std::log10(high));
  const double step = std::max(1.0, std::ceil((last - first) / kMostDecades));
  std::vector<double> ticks;
  for (double exponent = step * std::ceil(first / step); exponent <= last; exponent += step) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor == 1 || last - first <= 4) ticks.push_back(factor * power_of_ten(exponent));
    }
  }
  return ticks;
}

}  // namespace

double ChartAxis::share(double value) const {
  if (!logarithmic) return (value - first) / (last - first);
  return (std::log(value) - std::log(first)) / (std::log(last) - std::log(first));
}

ChartAxis linear_axis(double low, double high, int intervals) {
  if (!(low <= high)) return linear_axis(0, 1, intervals);
  const double magnitude = std::max(std::abs(low), std::abs(high));
  if (high - low <= 1e-9 * magnitude || magnitude < 1e-300) {  // a constant
    const double margin = magnitude < 1e-300 ? 1 : magnitude / 2;
    low -= margin;
    high += margin;
  }
  const double step = round_step((high - low) / intervals);
  const double first = std::floor(low / step + kRounding), last = std::ceil(high / step - kRounding);
  ChartAxis axis = {.first = first * step, .last = last * step, .ticks = {}};
  const Index count = std::lround(last - first) + 1;
  for (Index i = 0; i < count; ++i) axis.ticks.push_back((first + static_cast<double>(i)) * step);
  return axis;
}

ChartAxis logarithmic_axis(double low, double high, int intervals) {
  if (!(low <= high)) return linear_axis(low, high, intervals);
  if (std::log(high) - std::log(low) < 1e-9) {  // a constant
    low /= 2;
    high *= 2;
  }
  const double span = std::log(high) - std::log(low), room = std::exp(kRoom * span);
  ChartAxis axis = {.first = low / room, .last = high * room, .ticks = {}, .logarithmic = true};
  const auto candidates = span > std::log(10) ? decades(low, high) : linear_axis(low, high, intervals).ticks;
  double last_share = -1;
  for (const double tick : candidates) {
    if (tick < axis.first || tick > axis.last || axis.share(tick) - last_share < kNearestTicks) continue;
    axis.ticks.push_back(tick);
    last_share = axis.share(tick);
  }
  return axis;
}

ChartAxis cut_at(double last, ChartAxis axis) {
  if (!(last > axis.first)) return axis;
  axis.last = last;
  std::erase_if(axis.ticks, [&](double tick) { return tick > last; });
  return axis;
}

}  // namespace plainformer
