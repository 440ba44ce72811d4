#include "lab/table_1/layers_picture.h"

#include <set>

#include "report/number_format.h"

namespace plainformer {

namespace {

int color_of(LayerKind kind) {
  return static_cast<int>(kind);  // there are as many colors as kinds, with the ink
}

// Lines that often lie on another: on a dilated convolution, the plain one; on a separable one, the recurrent layer.
bool is_dashed(LayerKind kind) {
  return kind == LayerKind::kDilatedConvolution || kind == LayerKind::kSeparableConvolution ||
         kind == LayerKind::kNeighborsAndGlobal;
}
static_assert(static_cast<int>(LayerKind::kNeighborsAndGlobal) == kPictureInk);

ChartPanel panel_of(const LayerCurves& curves, const std::string& heading) {
  ChartPanel panel = {.heading = heading, .logarithmic = true, .height = 260};
  for (const LayerCurve& curve : curves) {
    ChartSeries series = {.points = {},
                          .color = color_of(curve.kind),
                          .line = ChartLine::kMarked,
                          .dashed = is_dashed(curve.kind)};
    for (const MeasuredPoint& point : curve.points) series.points.push_back({point.x, point.y});
    panel.series.push_back(series);
  }
  return panel;
}

// Every n that was measured.
std::vector<double> ticks_of(const LayerCurves& time, const LayerCurves& path) {
  std::set<double> ticks;
  for (const LayerCurves* curves : {&time, &path})
    for (const LayerCurve& curve : *curves)
      for (const MeasuredPoint& point : curve.points) ticks.insert(point.x);
  return {ticks.begin(), ticks.end()};
}

std::string description(const LayerCurves& time) {
  std::string text;
  for (const LayerCurve& curve : time)
    text += (text.empty() ? "Time grows with n to the power " : ", ") +
            format_fixed(fitted_exponent(curve.points), 2) + " (" + name_of(curve.kind) + ")";
  return text.empty() ? "Path lengths against n" : text + ".";
}

}  // namespace

LineChart layers_chart(const LayersSettings& s, const LayerCurves& time, const LayerCurves& path) {
  LineChart chart = {.title = "Table 1, measured",
                     .description = description(time),
                     .x_label = "n, positions",
                     .logarithmic_x = true,
                     .x_ticks = ticks_of(time, path)};
  for (const LayerKind kind : s.kinds)
    chart.legend.push_back({name_of(kind), color_of(kind), ChartLine::kMarked, is_dashed(kind)});
  const std::string kernel = "k = " + std::to_string(s.sizes.kernel),
                    neighbors = "r = " + std::to_string(s.sizes.neighbors);
  if (!time.empty()) {
    chart.panels.push_back(panel_of(time, "Milliseconds, forward and backward"));
    chart.panels.back().note = "d = " + std::to_string(s.sizes.d) + ", " + kernel + ", " + neighbors;
  }
  if (!path.empty()) {
    chart.panels.push_back(panel_of(path, "Longest path, in operations"));
    chart.panels.back().note = kernel + ", " + neighbors;
  }
  return chart;
}

}  // namespace plainformer
