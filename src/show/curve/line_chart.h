// Line charts as SVG. Printed without color, their lines differ by the shape of their marks. Panels are one
// above the other over a common x axis, so that no panel needs a second y axis. The x axis begins at 0,
// unless more than a fifth of it would be empty.
#pragma once

#include <string>
#include <vector>

#include "show/curve/svg.h"

namespace plainformer {

enum class ChartLine {
  kThin,   // for many points: a value at each step
  kMarked  // for few points: a mark at each, with a shape for each color
};

struct ChartSeries {
  // The points, in drawing order. The line is interrupted at points that are not finite or beyond 1e300, and
  // on a logarithmic axis at those outside 1e-250 to 1e250.
  std::vector<ChartPoint> points;
  int color = 0;  // 0 to kPictureInk
  ChartLine line = ChartLine::kThin;
};

struct ChartPanel {
  std::string heading = {};  // the quantity and its unit
  std::string note = {};     // at the right of the heading
  std::vector<ChartSeries> series = {};
  bool logarithmic = false;  // the y axis
  int height = 160;          // of the plot, in pixels, at least 40
};

struct ChartLegendEntry {
  std::string name;
  int color;
  ChartLine line;
};

struct LineChart {
  std::string title = {}, description = {};  // the description is for readers who cannot see the picture
  std::string x_label = {};
  std::vector<ChartLegendEntry> legend = {};
  std::vector<ChartPanel> panels = {};  // at least one
  int width = 480;                      // pixels, at least 320; this fits on a phone
};

// The complete SVG document. Without any finite point: empty axes from 0 to 1.
std::string to_svg(const LineChart& chart);

// An axis of a chart: the position of a value on it, and the round numbers written beside it.
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
