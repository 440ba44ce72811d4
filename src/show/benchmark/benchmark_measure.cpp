#include "show/benchmark/benchmark_sections.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace plainformer {

namespace {

constexpr double kShortestSample = 0.005;  // seconds

double time_of(const std::function<void()>& work, Index calls, const Clock& now) {
  const double begin = now();
  for (Index i = 0; i < calls; ++i) work();
  return (now() - begin) / static_cast<double>(calls);
}

double median_of(std::vector<double>& values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

double measure_once(const std::function<void()>& work) {
  return time_of(work, 1, steady_seconds);
}

Measurement measure(double seconds, const std::function<void()>& work, const std::function<double()>& limit,
                    const Clock& now) {
  time_of(work, kWarmUpCalls - 1, now);
  const double call = std::max(time_of(work, 1, now), 1e-9);
  const auto calls = static_cast<Index>(std::ceil(std::min(seconds, kShortestSample) / call));

  std::vector<double> samples, limits;
  for (const double begin = now(); std::ssize(samples) < kLeastSamples || now() - begin < seconds;) {
    samples.push_back(time_of(work, std::max<Index>(calls, 1), now));
    if (limit) limits.push_back(limit());
  }
  const double median = median_of(samples);
  return {.median = median,
          .fastest = samples.front(),
          .slowest = samples.back(),
          .samples = std::ssize(samples),
          .limit = median_of(limits)};
}

}  // namespace plainformer
