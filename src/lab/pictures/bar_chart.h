// Horizontal bars with their names at the left and their values at the right.
#pragma once

#include <string>
#include <vector>

#include "lab/pictures/svg.h"

namespace plainformer {

struct ChartBar {
  std::string name;
  double length = 0;  // at least 0, in the unit of all bars of the chart
  std::string value;  // written after the bar
  int color = 0;      // 0 to kPictureInk
};

struct BarChart {
  std::string heading = {}, note = {};  // the note is at the right end of the heading's line
  std::vector<ChartBar> bars = {};
  double longest = 1;  // the length that takes the whole width
};

// The place of a chart, in pixels. The names end at `axis`; the longest bar ends at `longest_end`, and its value
// follows it. The note ends at `right`.
struct BarPlace {
  double left, top, axis, longest_end, right;
};

inline constexpr double kBarRow = 22;

std::string draw_bars(const BarChart& chart, const BarPlace& place);

// The height that draw_bars takes.
double height_of(const BarChart& chart);

}  // namespace plainformer
