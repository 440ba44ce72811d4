// A line chart as an SVG file that stands alone: no script, no font, nothing to fetch; it follows the
// reader's light or dark theme, and its lines differ in dashes as well as in color. For curves of loss and
// BLEU.
#pragma once

#include <string>
#include <vector>

namespace plainformer {

struct ChartPoint {
  double x, y;
};

struct ChartSeries {
  std::string name;                // in the legend
  std::vector<ChartPoint> points;  // in drawing order; NaN, infinity and beyond 1e300 interrupt the line
  bool second_axis = false;        // y is read at the right
};

struct LineChart {
  std::string title, x_label, y_label, second_y_label;
  std::vector<ChartSeries> series;  // at most 4
  int width = 760, height = 440;    // pixels, at least 320 by 240
};

// The complete SVG document. Without any finite point: empty axes from 0 to 1.
std::string to_svg(const LineChart& chart);

}  // namespace plainformer
