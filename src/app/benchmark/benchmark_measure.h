// How long something takes: warmed up, repeated, and the spread kept.
#pragma once

#include <functional>

#include "core/real.h"

namespace plainformer {

double measure_once(const std::function<void()>& work);  // seconds

struct Measurement {
  double median = 0, fastest = 0, slowest = 0;  // seconds a call
  Index samples = 0;
  double limit = 0;  // median of what was measured beside the samples
};

// Calls that are not counted: the first meets cold caches and new memory, the second tells how many calls
// make a sample that is long enough for the clock.
inline constexpr Index kWarmUpCalls = 3;
inline constexpr Index kLeastSamples = 7;

// Repeats `work` for about `seconds`, and for at least kLeastSamples samples. After each of them `limit`, if
// any, measures the machine: its clock changes by a third from one second to the next, so that a share means
// something only if both were measured in the same moment.
Measurement measure(double seconds, const std::function<void()>& work,
                    const std::function<double()>& limit = {});

}  // namespace plainformer
