// An axis of a chart: where a value stands on it, and the round numbers that are written beside it.
#pragma once

#include <vector>

namespace plainformer {

struct ChartAxis {
  double first = 0, last = 1;  // the values at its ends
  std::vector<double> ticks;   // within, ascending
  bool logarithmic = false;

  double share(double value) const;  // 0 at the first end, 1 at the last
};

// From tick to tick, so that low and high lie within; ticks are 1, 2 or 5 times a power of ten apart, and
// there are about `intervals` between them. A constant (low = high) gets room on both sides; low > high,
// which is no data: 0 to 1.
ChartAxis linear_axis(double low, double high, int intervals);

// The same from low to high, where low > 0, with a little room and not from tick to tick. Ticks that would
// stand too near to each other are left out.
ChartAxis logarithmic_axis(double low, double high, int intervals);

// The axis up to `last`, without the ticks behind it.
ChartAxis cut_at(double last, ChartAxis axis);

}  // namespace plainformer
