// Measures how long something takes: after a warm-up, repeatedly, with its spread.
#pragma once

#include <functional>

#include "core/real.h"

namespace plainformer {

using Clock = std::function<double()>;  // seconds since some moment

double steady_clock();

double measure_once(const std::function<void()>& work);  // seconds

struct Measurement {
  double median = 0, fastest = 0, slowest = 0;  // seconds a call
  Index samples = 0;
  double limit = 0;  // the median of `limit`, measured beside the samples
};

// Calls that are not counted. The first ones meet cold caches and new memory. The last one shows how many
// calls make a sample long enough for the clock.
inline constexpr Index kWarmUpCalls = 3;
inline constexpr Index kLeastSamples = 7;

// Repeats `work` for about `seconds`, and for at least kLeastSamples samples. `limit`, if any, measures the
// machine after each sample. A share of the limit needs both figures from the same moment, because the clock
// can change by a third from one second to the next.
Measurement measure(double seconds, const std::function<void()>& work,
                    const std::function<double()>& limit = {}, const Clock& now = steady_clock);

}  // namespace plainformer
