// Measures how long work takes, with warm-up, repetitions and their spread.
#pragma once

#include <functional>

#include "core/real.h"

namespace plainformer {

double measure_once(const std::function<void()>& work);  // seconds

struct Measurement {
  double median = 0, fastest = 0, slowest = 0;  // seconds a call
  Index samples = 0;
  double limit = 0;  // median of the limits measured beside the samples
};

// Calls that are not counted: the first ones meet cold caches and new memory, the last one determines how
// many calls make a sample that is long enough for the clock.
inline constexpr Index kWarmUpCalls = 3;
inline constexpr Index kLeastSamples = 7;

// Repeats `work` for about `seconds`, and for at least kLeastSamples samples. After each sample `limit`, if
// given, measures the machine: its clock may change by a third from one second to the next, so a share is
// meaningful only if both were measured at the same moment.
Measurement measure(double seconds, const std::function<void()>& work,
                    const std::function<double()>& limit = {});

}  // namespace plainformer
