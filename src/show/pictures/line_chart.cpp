#include "show/pictures/line_chart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/check.h"
#include "report/number_format.h"
#include "report/terminal.h"
#include "show/pictures/chart_axis.h"

namespace plainformer {

namespace {

// Pixels.
constexpr double kRight = 24;  // beside the plots
constexpr double kLegendRow = 20, kBelowLegend = 6;
constexpr double kAbovePlot = 34, kBelowPlot = 10;  // the heading, and a gap
constexpr double kFooter = 44;                      // the x axis
constexpr double kBetweenCharts = 14;
constexpr double kMostEmpty = 0.2;  // of the x axis, before the first point
constexpr double kSample = 26;      // of a line, in the legend
constexpr double kCharacter = 6.6;  // its width, in the legend

// The marks of the colors: circle, square, diamond, triangle, triangle upside down, bar; and a circle again, for ink.
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
  ChartAxis axis = chart.logarithmic_x
                       ? logarithmic_axis(range.low, range.high, chart.width / 100)
                       : cut_at(range.high, linear_axis(begins_at_zero ? std::min(0.0, range.low) : range.low,
                                                        range.high, chart.width / 100));
  if (!chart.x_ticks.empty()) axis.ticks = chart.x_ticks;
  return axis;
}

ChartAxis y_axis(const ChartPanel& panel) {
  Range range;
  range.include(panel, &ChartPoint::y);
  for (const double value : panel.encloses) range.include(value);
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

std::string line_class(int color, ChartLine line, bool dashed) {
  return std::string("line ") + (line == ChartLine::kThin ? "thin" : "marked") + (dashed ? " dashed" : "") +
         color_class(color);
}

std::string draw_legend(const LineChart& chart, const Legend& legend) {
  std::string svg;
  for (std::size_t i = 0; i < legend.places.size(); ++i) {
    const ChartLegendEntry& entry = chart.legend[i];
    const ChartPoint at = legend.places[i];
    svg += svg::path(line_class(entry.color, entry.line, entry.dashed), svg::command('M', at) + "h26");
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
    svg += svg::text("ink", {plot.left - 8, y + 4}, "end", format_tick(tick));
  }
  svg += svg::line("axis", {plot.left, plot.top}, {plot.left, plot.bottom});
  return svg + svg::line("axis", {plot.left, plot.bottom}, {plot.right, plot.bottom});
}

std::string draw_x_axis(const Plot& lowest, const std::string& label) {
  std::string svg;
  for (const double tick : lowest.x.ticks) {
    const double x = lowest.pixel_x(tick);
    svg += svg::line("axis", {x, lowest.bottom}, {x, lowest.bottom + 4});
    svg += svg::text("ink", {x, lowest.bottom + 18}, "middle", format_tick(tick));
  }
  return svg + svg::text("ink", {(lowest.left + lowest.right) / 2, lowest.bottom + 37}, "middle", label);
}

// The line, interrupted at points that cannot be drawn. A point without a neighbor becomes a mark.
std::string draw_series(const ChartSeries& series, const ChartPanel& panel, const Plot& plot,
                        double mark_distance) {
  const std::vector<ChartPoint>& points = series.points;
  const auto drawable = [&](std::size_t i) { return i < points.size() && is_drawable(points[i], panel); };
  const double room = (plot.right - plot.left) / mark_distance;
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
  return (lines.empty() ? "" : svg::path(line_class(series.color, series.line, series.dashed), lines)) +
         (marks.empty() ? "" : svg::path("mark" + color_class(series.color), marks));
}

std::string draw_panel(const ChartPanel& panel, const Plot& plot, double mark_distance) {
  std::string svg = svg::text("ink heading", {plot.left, plot.top - 10}, "start", panel.heading);
  if (!panel.note.empty()) svg += svg::text("soft", {plot.right, plot.top - 10}, "end", panel.note);
  svg += draw_grid(plot);
  for (const ChartSeries& series : panel.series) svg += draw_series(series, panel, plot, mark_distance);
  for (const auto& [at, text, up, color] : panel.labels)
    svg += svg::text(color ? "fill" + color_class(*color) : "ink",
                     {plot.pixel_x(at.x) + 8, plot.pixel_y(at.y) + 4 - up}, "start", text);
  return svg;
}

void check(const LineChart& chart) {
  CHECK(chart.width >= 320 && !chart.panels.empty(), "width=", chart.width, " panels=", chart.panels.size());
  const auto check_color = [](int color) { CHECK(color >= 0 && color <= kPictureInk, "color=", color); };
  for (const ChartLegendEntry& entry : chart.legend) check_color(entry.color);
  for (const ChartPanel& panel : chart.panels) {
    CHECK(panel.height >= 40, "height=", panel.height);
    for (const ChartLabel& label : panel.labels) check_color(label.color.value_or(kPictureInk));
    for (const ChartSeries& series : panel.series) {
      check_color(series.color);
      for (const ChartPoint& point : series.points)
        CHECK(!chart.logarithmic_x || (point.x > 1e-250 && point.x < 1e250), "x=", point.x);
    }
  }
}

}  // namespace

DrawnChart draw(const LineChart& chart, double top) {
  check(chart);
  const Legend legend = lay_out_legend(chart, top);
  const std::vector<Plot> plots = lay_out_plots(chart, legend.bottom + kBelowLegend);
  std::string svg = draw_legend(chart, legend);
  for (std::size_t i = 0; i < plots.size(); ++i)
    svg += draw_panel(chart.panels[i], plots[i], chart.mark_distance);
  return {.svg = svg + draw_x_axis(plots.back(), chart.x_label), .bottom = plots.back().bottom + kFooter};
}

std::string to_svg(const LineChart& chart) {
  return to_svg(std::vector<LineChart>{chart});
}

std::string to_svg(const std::vector<LineChart>& charts) {
  CHECK(!charts.empty(), "no chart");
  DrawnChart all = {.svg = "", .bottom = kTitleBaseline + 24};
  for (const LineChart& chart : charts) {
    const DrawnChart drawn = draw(chart, all.bottom + (all.svg.empty() ? 0 : kBetweenCharts));
    all = {.svg = all.svg + drawn.svg, .bottom = drawn.bottom};
  }
  return framed({.title = charts[0].title,
                 .description = charts[0].description,
                 .width = static_cast<double>(charts[0].width),
                 .height = all.bottom,
                 .left = kChartLeft},
                all.svg);
}

}  // namespace plainformer
