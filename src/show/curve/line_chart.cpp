#include "show/curve/training_chart.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/number_text.h"
#include "core/real.h"
#include "report/terminal.h"
#include "show/html_page.h"

namespace plainformer {

namespace {

constexpr const char* kStyle =
    "<style>\n"
    ".paper{fill:#ffffff}.ink{fill:#1f2328}.soft{fill:#59636e}.axis{stroke:#6e7781}.grid{stroke:#e4e8ec}\n"
    ".c0{color:#0969da}.c1{color:#cf4a00}.c2{color:#1a7f37}.c3{color:#8250df}.c4{color:#bf3989}"
    ".c5{color:#7d6100}.c6{color:#59636e}.mark{stroke:#ffffff}\n"
    "@media (prefers-color-scheme:dark){\n"
    ".paper{fill:#0d1117}.ink{fill:#e6edf3}.soft{fill:#9198a1}.axis{stroke:#8b949e}.grid{stroke:#262c33}\n"
    ".c0{color:#58a6ff}.c1{color:#f0883e}.c2{color:#56d364}.c3{color:#bc8cff}.c4{color:#f778ba}"
    ".c5{color:#d4a72c}.c6{color:#9198a1}.mark{stroke:#0d1117}\n"
    "}\n"
    "text{font-family:system-ui,sans-serif;font-size:12px}\n"
    ".title{font-size:16px;font-weight:600}.heading{font-size:13px;font-weight:600}\n"
    ".line{fill:none;stroke:currentColor;stroke-linejoin:round;stroke-linecap:round}\n"
    ".thin{stroke-width:1.2;stroke-opacity:.85}.marked{stroke-width:2}.mark{fill:currentColor}\n"
    "</style>\n";

// Pixels.
constexpr double kWidth = 480;                      // fits on a phone
constexpr double kLeft = 64, kRight = kWidth - 24;  // the ends of the plots
constexpr double kTitleBaseline = 28;
constexpr double kLegendRow = 20, kBelowLegend = 6;
constexpr double kAbovePlot = 34, kBelowPlot = 10;  // the heading, and a gap
constexpr double kFooter = 44;                      // the x axis
constexpr double kMarkDistance = 9;                 // marks of a line are at least this far apart along x
constexpr double kSample = 26;                      // the sample of a line, in the legend
constexpr double kCharacter = 6.6;                  // the width of a character, in the legend

// The marks of the colors: circle, square, diamond, triangle, triangle upside down, bar; and a circle again,
// for ink.
constexpr const char* kMarks[kChartColors + 1] = {"m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
                                                  "m-3-3h6v6h-6z",
                                                  "m0-4l4 4l-4 4l-4-4z",
                                                  "m0-4l4 7h-8z",
                                                  "m0 4l4-7h-8z",
                                                  "m-2-4h4v8h-4z",
                                                  "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z"};

// ---- elements of SVG; coordinates are rounded to a tenth of a pixel

std::string pixels(double value) {
  return fixed_text(value, 1);
}

// A command of a path: "M72.0 244.0".
std::string command(char name, ChartPoint to) {
  return name + pixels(to.x) + " " + pixels(to.y);
}

std::string path_element(const std::string& classes, const std::string& commands) {
  return "<path class=\"" + classes + "\" d=\"" + commands + "\"/>\n";
}

std::string line_element(const std::string& classes, ChartPoint from, ChartPoint to) {
  return "<line class=\"" + classes + "\" x1=\"" + pixels(from.x) + "\" y1=\"" + pixels(from.y) + "\" x2=\"" +
         pixels(to.x) + "\" y2=\"" + pixels(to.y) + "\"/>\n";
}

std::string text_element(const std::string& classes, ChartPoint at, const std::string& anchor,
                         const std::string& content) {
  return "<text class=\"" + classes + "\" x=\"" + pixels(at.x) + "\" y=\"" + pixels(at.y) +
         "\" text-anchor=\"" + anchor + "\">" + escape_markup(content) + "</text>\n";
}

std::string color_class(int color) {
  CHECK(color >= 0 && color <= kChartInk, "color=", color);
  return " c" + std::to_string(color);
}

std::string line_class(int color, ChartLine line) {
  return std::string("line ") + (line == ChartLine::kThin ? "thin" : "marked") + color_class(color);
}

// ---- the chart

// The rectangle in which a panel's lines are drawn, and its scales.
struct Plot {
  double top, bottom;
  ChartAxis x, y = {};

  double pixel_x(double value) const { return kLeft + x.share(value) * (kRight - kLeft); }
  double pixel_y(double value) const { return bottom - y.share(value) * (bottom - top); }
  ChartPoint at(ChartPoint point) const { return {pixel_x(point.x), pixel_y(point.y)}; }
};

bool is_drawable(ChartPoint point, const ChartPanel& panel) {
  const bool has_y = panel.logarithmic ? point.y >= 1e-9 && point.y <= 1e9 : std::abs(point.y) < 1e300;
  return std::abs(point.x) < 1e300 && has_y;
}

struct Range {
  double low = INFINITY, high = -INFINITY;

  void include(const ChartPanel& panel, double ChartPoint::*coordinate) {
    for (const ChartSeries& series : panel.series) {
      for (const ChartPoint& point : series.points) {
        if (!is_drawable(point, panel)) continue;
        low = std::min(low, point.*coordinate);
        high = std::max(high, point.*coordinate);
      }
    }
  }
};

// From 0 to the last point.
ChartAxis x_axis(const LineChart& chart) {
  Range range;
  for (const ChartPanel& panel : chart.panels) range.include(panel, &ChartPoint::x);
  ChartAxis axis = linear_axis(std::min(0.0, range.low), range.high, /*intervals=*/4);
  if (!(range.high > axis.first)) return axis;
  axis.last = range.high;
  std::erase_if(axis.ticks, [&](double tick) { return tick > axis.last; });
  return axis;
}

ChartAxis y_axis(const ChartPanel& panel) {
  Range range;
  range.include(panel, &ChartPoint::y);
  const int intervals = std::max(2, panel.height / 40);
  return panel.logarithmic ? logarithmic_axis(range.low, range.high, intervals)
                           : linear_axis(range.low, range.high, intervals);
}

// A name that is wider than the chart is cut.
std::string draw_legend_entry(const ChartLegendEntry& entry, double y) {
  std::string svg = path_element(line_class(entry.color, entry.line), command('M', {kLeft, y}) + "h26");
  if (entry.line == ChartLine::kMarked)
    svg += path_element("mark" + color_class(entry.color),
                        command('M', {kLeft + kSample / 2, y}) + kMarks[entry.color]);
  constexpr int kMostColumns = static_cast<int>((kWidth - kLeft - kSample - 8) / kCharacter);
  return svg + text_element("ink", {kLeft + kSample + 8, y + 4}, "start",
                            truncate_to_width(entry.name, kMostColumns));
}

std::string draw_grid(const Plot& plot) {
  std::string svg;
  for (const double tick : plot.x.ticks)
    svg += line_element("grid", {plot.pixel_x(tick), plot.top}, {plot.pixel_x(tick), plot.bottom});
  for (const double tick : plot.y.ticks) {
    const double y = plot.pixel_y(tick);
    svg += line_element("grid", {kLeft, y}, {kRight, y});
    svg += text_element("ink", {kLeft - 8, y + 4}, "end", general_text(tick, 10));
  }
  svg += line_element("axis", {kLeft, plot.top}, {kLeft, plot.bottom});
  return svg + line_element("axis", {kLeft, plot.bottom}, {kRight, plot.bottom});
}

std::string draw_x_axis(const Plot& lowest, const std::string& label) {
  std::string svg;
  for (const double tick : lowest.x.ticks) {
    const double x = lowest.pixel_x(tick);
    svg += line_element("axis", {x, lowest.bottom}, {x, lowest.bottom + 4});
    svg += text_element("ink", {x, lowest.bottom + 18}, "middle", general_text(tick, 10));
  }
  return svg + text_element("ink", {(kLeft + kRight) / 2, lowest.bottom + 37}, "middle", label);
}

// The line, interrupted at points that cannot be drawn. A point without a neighbor becomes a mark.
std::string draw_series(const ChartSeries& series, const ChartPanel& panel, const Plot& plot) {
  const std::vector<ChartPoint>& points = series.points;
  const auto drawable = [&](std::size_t i) { return i < points.size() && is_drawable(points[i], panel); };
  const double room = (kRight - kLeft) / kMarkDistance;
  const auto points_per_mark =
      series.line == ChartLine::kMarked
          ? static_cast<std::size_t>(std::ceil(static_cast<double>(points.size()) / room))
          : points.size() + 1;
  std::string lines, marks;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!drawable(i)) continue;
    const bool goes_on = i > 0 && drawable(i - 1), is_followed = drawable(i + 1);
    if (goes_on || is_followed) lines += command(goes_on ? 'L' : 'M', plot.at(points[i]));
    if ((i + 1) % points_per_mark == 0 || !(goes_on || is_followed))
      marks += command('M', plot.at(points[i])) + kMarks[series.color];
  }
  return (lines.empty() ? "" : path_element(line_class(series.color, series.line), lines)) +
         (marks.empty() ? "" : path_element("mark" + color_class(series.color), marks));
}

std::string draw_panel(const ChartPanel& panel, const Plot& plot) {
  std::string svg = text_element("ink heading", {kLeft, plot.top - 10}, "start", panel.heading);
  if (!panel.note.empty()) svg += text_element("soft", {kRight, plot.top - 10}, "end", panel.note);
  svg += draw_grid(plot);
  for (const ChartSeries& series : panel.series) svg += draw_series(series, panel, plot);
  return svg;
}

// ---- the axis

constexpr double kRounding = 1e-9;       // a value that exceeds its tick by rounding needs no further tick
constexpr double kRoom = 0.04;           // at each end of a logarithmic axis, as a share of it
constexpr double kNearestTicks = 0.055;  // shares of a logarithmic axis

// Not every system's pow gives the double nearest to 0.01. Up to 10^22 a power is exact, and a quotient is
// the nearest double.
double power_of_ten(double exponent) {
  return exponent < 0 ? 1 / std::pow(10, -exponent) : std::pow(10, exponent);
}

double round_step(double rough) {
  const double power = power_of_ten(std::floor(std::log10(rough)));
  const double factor = rough / power;
  return (factor <= 1.5 ? 1 : factor <= 3.5 ? 2 : factor <= 7.5 ? 5 : 10) * power;
}

// 1, 2 and 5 times each power of ten from low to high; only the powers if there are many.
std::vector<double> decades(double low, double high) {
  const double first = std::floor(std::log10(low)), last = std::ceil(std::log10(high));
  std::vector<double> ticks;
  for (double exponent = first; exponent <= last; ++exponent) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor == 1 || last - first <= 4) ticks.push_back(factor * power_of_ten(exponent));
    }
  }
  return ticks;
}

}  // namespace

std::string to_svg(const LineChart& chart) {
  CHECK(!chart.panels.empty(), "a chart without a panel");
  double y = kTitleBaseline + 24;
  std::string content;
  for (const ChartLegendEntry& entry : chart.legend) {
    content += draw_legend_entry(entry, y);
    y += kLegendRow;
  }
  y += kBelowLegend - kLegendRow;
  Plot plot = {.top = y, .bottom = y, .x = x_axis(chart)};
  for (const ChartPanel& panel : chart.panels) {
    plot.top = y + kAbovePlot;
    plot.bottom = plot.top + panel.height;
    plot.y = y_axis(panel);
    content += draw_panel(panel, plot);
    y = plot.bottom + kBelowPlot;
  }
  content += draw_x_axis(plot, chart.x_label);
  const std::string width = fixed_text(kWidth, 0), height = fixed_text(plot.bottom + kFooter, 0);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + width + " " + height + "\" width=\"" +
         width + "\" height=\"" + height + "\" role=\"img\">\n<title>" + escape_markup(chart.title) +
         "</title>\n<desc>" + escape_markup(chart.description) + "</desc>\n" + kStyle +
         "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n" +
         text_element("ink title", {kLeft, kTitleBaseline}, "start", chart.title) + content + "</svg>\n";
}

double ChartAxis::share(double value) const {
  if (!logarithmic) return (value - first) / (last - first);
  return (std::log(value) - std::log(first)) / (std::log(last) - std::log(first));
}

ChartAxis linear_axis(double low, double high, int intervals) {
  if (!(low <= high)) return linear_axis(0, 1, intervals);
  const double magnitude = std::max(std::abs(low), std::abs(high));
  if (high - low <= 1e-9 * magnitude || magnitude < 1e-300) {  // a constant
    const double margin = magnitude < 1e-300 ? 1 : magnitude / 2;
    low -= margin;
    high += margin;
  }
  const double step = round_step((high - low) / intervals);
  const double first = std::floor(low / step + kRounding), last = std::ceil(high / step - kRounding);
  ChartAxis axis = {.first = first * step, .last = last * step};
  const Index count = std::lround(last - first) + 1;
  for (Index i = 0; i < count; ++i) axis.ticks.push_back((first + static_cast<double>(i)) * step);
  return axis;
}

ChartAxis logarithmic_axis(double low, double high, int intervals) {
  if (!(low <= high)) return linear_axis(low, high, intervals);
  if (std::log(high) - std::log(low) < 1e-9) {  // a constant
    low /= 2;
    high *= 2;
  }
  const double span = std::log(high) - std::log(low), room = std::exp(kRoom * span);
  ChartAxis axis = {.first = low / room, .last = high * room, .logarithmic = true};
  const auto candidates = span > std::log(10) ? decades(low, high) : linear_axis(low, high, intervals).ticks;
  double last_share = -1;
  for (const double tick : candidates) {
    if (tick < axis.first || tick > axis.last || axis.share(tick) - last_share < kNearestTicks) continue;
    axis.ticks.push_back(tick);
    last_share = axis.share(tick);
  }
  return axis;
}

}  // namespace plainformer
