// Line charts as an SVG file that stands alone: no script, no font, nothing to fetch. It follows the reader's
// light or dark theme, and in print without color its lines differ by the shape of their marks. Panels stand
// one above the other over one x axis, which begins at 0, so that none needs a second y axis.
#pragma once

#include <string>
#include <vector>

#include "report/svg.h"

namespace plainformer {

enum class ChartLine {
  kThin,   // for many points: a value at each step
  kMarked  // for few: a mark at each, of another shape for each color
};

inline constexpr int kChartColors = 6;
inline constexpr int kChartInk = kChartColors;  // the color of the text

struct ChartSeries {
  std::vector<ChartPoint> points;  // in drawing order; what is not finite or beyond 1e300 interrupts the
                                   // line, and on a logarithmic axis what is not within 1e-250 and 1e250
  int color = 0;                   // 0 to kChartInk
  ChartLine line = ChartLine::kThin;
};

struct ChartPanel {
  std::string heading = {};  // what is drawn, and in what unit
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
  std::string title = {}, description = {};  // the description is for who cannot see the picture
  std::string x_label = {};
  std::vector<ChartLegendEntry> legend = {};
  std::vector<ChartPanel> panels = {};  // at least one
  int width = 760;                      // pixels, at least 320
};

// The complete SVG document. Without any finite point: empty axes from 0 to 1.
std::string to_svg(const LineChart& chart);

}  // namespace plainformer
