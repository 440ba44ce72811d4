// An axis of a chart: the position of a value on it, and the round numbers written beside it.
#pragma once

#include <vector>

namespace plainformer {

struct ChartAxis {
  double first = 0, last = 1;  // the values at its ends
  std::vector<double> ticks;   // within, ascending
  bool logarithmic = false;

  double share(double value) const;  // 0 at the first end, 1 at the last
};

// Begins and ends at a tick, and encloses low and high. Ticks are 1, 2 or 5 times a power of ten apart, and
// about `intervals` intervals lie between them. A constant (low = high) gets room on both sides. Without data
// (low > high) the axis runs from 0 to 1.
ChartAxis linear_axis(double low, double high, int intervals);

// A logarithmic axis for low > 0. It extends a little beyond low and high rather than to the next tick. Ticks
// that would stand too close to each other are left out.
ChartAxis logarithmic_axis(double low, double high, int intervals);

// The axis up to `last`, without the ticks beyond.
ChartAxis cut_at(double last, ChartAxis axis);

}  // namespace plainformer
