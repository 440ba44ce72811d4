// How long something takes: warmed up, repeated, and the spread kept.
#pragma once

#include <functional>

#include "core/real.h"

namespace plainformer {

struct Measurement {
  double median = 0, fastest = 0, slowest = 0;  // seconds a call
  Index samples = 0;
};

// Calls that are not counted: the first meets cold caches and new memory, the second tells how many calls
// make a sample that is long enough for the clock.
inline constexpr Index kWarmUpCalls = 2;
inline constexpr Index kLeastSamples = 7;

// Repeats `work` for about `seconds`, and for at least kLeastSamples samples.
Measurement measure(double seconds, const std::function<void()>& work);

}  // namespace plainformer
