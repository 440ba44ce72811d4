// Line charts as SVG. Printed without color, their lines differ by the shape of their marks. Panels stand one
// above the other over a common x axis, so that no panel needs a second y axis. It is logarithmic, or it begins at 0,
// unless more than a fifth of it would be empty.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "show/pictures/picture.h"
#include "show/pictures/svg.h"

namespace plainformer {

enum class ChartLine {
  kThin,   // for many points: a value at each step
  kMarked  // for few points: a mark at each, with a shape for each color
};

struct ChartSeries {
  // The points, in drawing order. The line is interrupted at points that are not finite or beyond 1e300, and on a
  // logarithmic axis at those outside 1e-250 to 1e250.
  std::vector<ChartPoint> points;
  int color = 0;  // 0 to kPictureInk
  ChartLine line = ChartLine::kThin;
  bool dashed = false;  // so that a line below shows through
};

// Text at the right of a point.
struct ChartLabel {
  ChartPoint at;
  std::string text;
  double up = 0;                  // pixels above the point
  std::optional<int> color = {};  // of the line that it names; without one, ink
};

struct ChartPanel {
  std::string heading = {};  // the quantity and its unit
  std::string note = {};     // at the right of the heading
  std::vector<ChartSeries> series = {};
  std::vector<ChartLabel> labels = {};  // at points within the range of the series
  bool logarithmic = false;             // the y axis
  std::vector<double> encloses = {};    // values that the y axis holds besides those of the series
  int height = 160;                     // of the plot, in pixels, at least 40
};

struct ChartLegendEntry {
  std::string name;
  int color;
  ChartLine line;
  bool dashed = false;
};

struct LineChart {
  std::string title = {}, description = {};  // the description is for readers who cannot see the picture
  std::string x_label = {};
  bool logarithmic_x = false;        // every x is then between 1e-250 and 1e250
  std::vector<double> x_ticks = {};  // the values written below the x axis; without any, round ones
  std::vector<ChartLegendEntry> legend = {};
  std::vector<ChartPanel> panels = {};  // at least one
  int width = 480;                      // pixels, at least 320; this fits on a phone
  double mark_distance = 9;             // pixels; marks of a line are at least so far apart along x
};

inline constexpr double kChartLeft = 64;  // pixels; the plots begin here

// The complete SVG document. Without any finite point: empty axes from 0 to 1.
std::string to_svg(const LineChart& chart);

// Charts with x axes of their own, one below the other. The title, the description and the width are those of the first.
// At least one.
std::string to_svg(const std::vector<LineChart>& charts);

// A chart's legend and panels without the frame, for a picture that has more to show. `top` is the middle of the
// legend's first row.
struct DrawnChart {
  std::string svg;
  double bottom;
};
DrawnChart draw(const LineChart& chart, double top);

}  // namespace plainformer
