#include "show/curve/line_chart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/check.h"
#include "core/number_text.h"
#include "core/real.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

// ---- the chart

// Pixels.
constexpr double kRight = 24;  // beside the plots
constexpr double kLegendRow = 20, kBelowLegend = 6;
constexpr double kAbovePlot = 34, kBelowPlot = 10;  // the heading, and a gap
constexpr double kFooter = 44;                      // the x axis
constexpr double kMostEmpty = 0.2;                  // of the x axis, before the first point
constexpr double kChartLeft = 64;                   // the plots begin here
constexpr double kMarkDistance = 9;                 // marks of a line are at least this far apart along x
constexpr double kSample = 26;                      // of a line, in the legend
constexpr double kCharacter = 6.6;                  // its width, in the legend

// The marks of the colors: circle, square, diamond, triangle, triangle upside down, bar; and a circle again,
// for ink.
constexpr std::array<const char*, kPictureColors + 1> kMarks = {"m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
                                                                "m-3-3h6v6h-6z",
                                                                "m0-4l4 4l-4 4l-4-4z",
                                                                "m0-4l4 7h-8z",
                                                                "m0 4l4-7h-8z",
                                                                "m-2-4h4v8h-4z",
                                                                "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z"};

// The rectangle in which a panel's lines are drawn, and its scales.
struct Plot {
  double left, top, right, bottom;
  ChartAxis x, y;

  double pixel_x(double value) const { return left + x.share(value) * (right - left); }
  double pixel_y(double value) const { return bottom - y.share(value) * (bottom - top); }
  ChartPoint at(ChartPoint point) const { return {pixel_x(point.x), pixel_y(point.y)}; }
};

// True if an axis can enclose the point: it is finite, far enough from the largest double, and on a
// logarithmic axis far enough from 0.
bool is_drawable(ChartPoint point, const ChartPanel& panel) {
  const bool has_y = panel.logarithmic ? point.y > 1e-250 && point.y < 1e250 : std::abs(point.y) < 1e300;
  return std::abs(point.x) < 1e300 && has_y;
}

struct Range {
  double low = INFINITY, high = -INFINITY;

  void include(const ChartPanel& panel, double ChartPoint::*coordinate) {
    for (const ChartSeries& series : panel.series) {
      for (const ChartPoint& point : series.points) {
        if (is_drawable(point, panel)) include(point.*coordinate);
      }
    }
  }

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

ChartAxis x_axis(const LineChart& chart) {
  Range range;
  for (const ChartPanel& panel : chart.panels) range.include(panel, &ChartPoint::x);
  const bool begins_at_zero = range.low < kMostEmpty * range.high || range.low >= range.high;
  const double first = begins_at_zero ? std::min(0.0, range.low) : range.low;
  return cut_at(range.high, linear_axis(first, range.high, chart.width / 100));
}

ChartAxis y_axis(const ChartPanel& panel) {
  Range range;
  range.include(panel, &ChartPoint::y);
  const int intervals = std::max(2, panel.height / 40);
  return panel.logarithmic ? logarithmic_axis(range.low, range.high, intervals)
                           : linear_axis(range.low, range.high, intervals);
}

// Entries side by side, in as many rows as they need.
struct Legend {
  std::vector<ChartPoint> places;
  double bottom = 0;
};

// A name that is wider than the chart is cut.
std::string shown_name(const LineChart& chart, const ChartLegendEntry& entry) {
  const double room = chart.width - kChartLeft - kSample - 32;
  return truncate_to_width(entry.name, static_cast<int>(room / kCharacter));
}

Legend lay_out_legend(const LineChart& chart, double top) {
  Legend legend = {.places = {}, .bottom = top - kLegendRow};
  double x = chart.width;  // so that the first entry begins a row
  for (const ChartLegendEntry& entry : chart.legend) {
    const double width = kSample + 32 + kCharacter * display_width(shown_name(chart, entry));
    if (x + width > chart.width) {
      x = kChartLeft;
      legend.bottom += kLegendRow;
    }
    legend.places.push_back({x, legend.bottom});
    x += width;
  }
  return legend;
}

std::vector<Plot> lay_out_plots(const LineChart& chart, double top) {
  const ChartAxis x = x_axis(chart);
  std::vector<Plot> plots;
  for (const ChartPanel& panel : chart.panels) {
    top += kAbovePlot;
    plots.push_back({.left = kChartLeft,
                     .top = top,
                     .right = chart.width - kRight,
                     .bottom = top + panel.height,
                     .x = x,
                     .y = y_axis(panel)});
    top = plots.back().bottom + kBelowPlot;
  }
  return plots;
}

std::string line_class(int color, ChartLine line) {
  return std::string("line ") + (line == ChartLine::kThin ? "thin" : "marked") + color_class(color);
}

std::string draw_legend(const LineChart& chart, const Legend& legend) {
  std::string svg;
  for (std::size_t i = 0; i < legend.places.size(); ++i) {
    const ChartLegendEntry& entry = chart.legend[i];
    const ChartPoint at = legend.places[i];
    svg += svg::path(line_class(entry.color, entry.line), svg::command('M', at) + "h26");
    if (entry.line == ChartLine::kMarked)
      svg += svg::path("mark" + color_class(entry.color),
                       svg::command('M', {at.x + kSample / 2, at.y}) + kMarks[entry.color]);
    svg += svg::text("ink", {at.x + kSample + 8, at.y + 4}, "start", shown_name(chart, entry));
  }
  return svg;
}

std::string draw_grid(const Plot& plot) {
  std::string svg;
  for (const double tick : plot.x.ticks)
    svg += svg::line("grid", {plot.pixel_x(tick), plot.top}, {plot.pixel_x(tick), plot.bottom});
  for (const double tick : plot.y.ticks) {
    const double y = plot.pixel_y(tick);
    svg += svg::line("grid", {plot.left, y}, {plot.right, y});
    svg += svg::text("ink", {plot.left - 8, y + 4}, "end", general_text(tick, 10));
  }
  svg += svg::line("axis", {plot.left, plot.top}, {plot.left, plot.bottom});
  return svg + svg::line("axis", {plot.left, plot.bottom}, {plot.right, plot.bottom});
}

std::string draw_x_axis(const Plot& lowest, const std::string& label) {
  std::string svg;
  for (const double tick : lowest.x.ticks) {
    const double x = lowest.pixel_x(tick);
    svg += svg::line("axis", {x, lowest.bottom}, {x, lowest.bottom + 4});
    svg += svg::text("ink", {x, lowest.bottom + 18}, "middle", general_text(tick, 10));
  }
  return svg + svg::text("ink", {(lowest.left + lowest.right) / 2, lowest.bottom + 37}, "middle", label);
}

// The line, interrupted at points that cannot be drawn. A point without a neighbor becomes a mark.
std::string draw_series(const ChartSeries& series, const ChartPanel& panel, const Plot& plot) {
  const std::vector<ChartPoint>& points = series.points;
  const auto drawable = [&](std::size_t i) { return i < points.size() && is_drawable(points[i], panel); };
  const double room = (plot.right - plot.left) / kMarkDistance;
  const auto points_per_mark =
      series.line == ChartLine::kMarked
          ? static_cast<std::size_t>(std::ceil(static_cast<double>(points.size()) / room))
          : points.size() + 1;
  std::string lines, marks;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!drawable(i)) continue;
    const bool goes_on = i > 0 && drawable(i - 1), is_followed = drawable(i + 1);
    if (goes_on || is_followed) lines += svg::command(goes_on ? 'L' : 'M', plot.at(points[i]));
    if ((i + 1) % points_per_mark == 0 || !(goes_on || is_followed))
      marks += svg::command('M', plot.at(points[i])) + kMarks[series.color];
  }
  return (lines.empty() ? "" : svg::path(line_class(series.color, series.line), lines)) +
         (marks.empty() ? "" : svg::path("mark" + color_class(series.color), marks));
}

std::string draw_panel(const ChartPanel& panel, const Plot& plot) {
  std::string svg = svg::text("ink heading", {plot.left, plot.top - 10}, "start", panel.heading);
  if (!panel.note.empty()) svg += svg::text("soft", {plot.right, plot.top - 10}, "end", panel.note);
  svg += draw_grid(plot);
  for (const ChartSeries& series : panel.series) svg += draw_series(series, panel, plot);
  return svg;
}

void check(const LineChart& chart) {
  CHECK(chart.width >= 320 && !chart.panels.empty(), "width=", chart.width, " panels=", chart.panels.size());
  const auto check_color = [](int color) { CHECK(color >= 0 && color <= kPictureInk, "color=", color); };
  for (const ChartLegendEntry& entry : chart.legend) check_color(entry.color);
  for (const ChartPanel& panel : chart.panels) {
    CHECK(panel.height >= 40, "height=", panel.height);
    for (const ChartSeries& series : panel.series) check_color(series.color);
  }
}

// ---- the axis

constexpr double kRounding = 1e-9;       // a value that exceeds its tick by rounding needs no further tick
constexpr double kRoom = 0.04;           // at each end of a logarithmic axis, as a share of it
constexpr double kMostDecades = 10;      // with a tick each
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

// 1, 2 and 5 times each power of ten from low to high; only the powers if there are many, and of very many
// only each n-th.
std::vector<double> decades(double low, double high) {
  const double first = std::floor(std::log10(low)), last = std::ceil(std::log10(high));
  const double step = std::max(1.0, std::ceil((last - first) / kMostDecades));
  std::vector<double> ticks;
  for (double exponent = step * std::ceil(first / step); exponent <= last; exponent += step) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor == 1 || last - first <= 4) ticks.push_back(factor * power_of_ten(exponent));
    }
  }
  return ticks;
}

}  // namespace

std::string to_svg(const LineChart& chart) {
  check(chart);
  const Legend legend = lay_out_legend(chart, kTitleBaseline + 24);
  const std::vector<Plot> plots = lay_out_plots(chart, legend.bottom + kBelowLegend);
  std::string svg = draw_legend(chart, legend);
  for (std::size_t i = 0; i < plots.size(); ++i) svg += draw_panel(chart.panels[i], plots[i]);
  svg += draw_x_axis(plots.back(), chart.x_label);
  return framed({.title = chart.title,
                 .description = chart.description,
                 .width = static_cast<double>(chart.width),
                 .height = plots.back().bottom + kFooter,
                 .left = kChartLeft},
                svg);
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
  ChartAxis axis = {.first = first * step, .last = last * step, .ticks = {}};
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
  ChartAxis axis = {.first = low / room, .last = high * room, .ticks = {}, .logarithmic = true};
  const auto candidates = span > std::log(10) ? decades(low, high) : linear_axis(low, high, intervals).ticks;
  double last_share = -1;
  for (const double tick : candidates) {
    if (tick < axis.first || tick > axis.last || axis.share(tick) - last_share < kNearestTicks) continue;
    axis.ticks.push_back(tick);
    last_share = axis.share(tick);
  }
  return axis;
}

ChartAxis cut_at(double last, ChartAxis axis) {
  if (!(last > axis.first)) return axis;
  axis.last = last;
  std::erase_if(axis.ticks, [&](double tick) { return tick > last; });
  return axis;
}

}  // namespace plainformer
