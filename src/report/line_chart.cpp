#include "report/line_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "core/check.h"
#include "core/utf8.h"
#include "report/number_format.h"

namespace plainformer {

namespace {

// Round values from `first` to `last`, `step` apart, that enclose the data.
struct Axis {
  double first = 0, last = 1, step = 0.2;

  Index ticks() const { return std::lround((last - first) / step) + 1; }
  double tick(Index i) const { return std::round(first / step + static_cast<double>(i)) * step; }
  double share(double value) const { return (value - first) / (last - first); }
};

struct Box {
  double left, top, right, bottom;
};

// Everything that the drawing functions share.
struct Frame {
  Box plot;
  Axis x, y, second_y;
  bool has_second_y;

  double pixel_x(double value) const { return plot.left + x.share(value) * (plot.right - plot.left); }
  double pixel_y(double value, const Axis& axis) const {
    return plot.bottom - axis.share(value) * (plot.bottom - plot.top);
  }
};

constexpr std::size_t kMostSeries = 4;
constexpr std::array<const char*, kMostSeries> kDashes = {"", "7 3", "2 3", "9 3 2 3"};

constexpr double kLegendTop = 50;
constexpr double kLegendRow = 20;

constexpr const char* kStyle =
    "<style>\n"
    ".paper{fill:#ffffff}.ink{fill:#1f2328}.axis{stroke:#6e7781;fill:none}.grid{stroke:#d8dee4}\n"
    ".s0{stroke:#0969da}.s1{stroke:#cf4a00}.s2{stroke:#1a7f37}.s3{stroke:#8250df}\n"
    "@media "
    "(prefers-color-scheme:dark){.paper{fill:#0d1117}.ink{fill:#e6edf3}.axis{stroke:#8b949e}.grid{stroke:#"
    "2b3138}\n"
    ".s0{stroke:#58a6ff}.s1{stroke:#f0883e}.s2{stroke:#56d364}.s3{stroke:#bc8cff}}\n"
    "text{font-family:system-ui,sans-serif;font-size:12px}.title{font-size:15px;font-weight:600}\n"
    ".line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}\n"
    "</style>\n";

// Text as XML content: markup escaped, and what XML does not allow (control characters, malformed bytes)
// replaced.
std::string escape(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    const bool allowed = point.value >= 0x20 && point.value != 0xFFFE && point.value != 0xFFFF;
    if (point.value == '&') {
      result += "&amp;";
    } else if (point.value == '<') {
      result += "&lt;";
    } else if (point.value == '>') {
      result += "&gt;";
    } else {
      append_utf8(result, allowed ? point.value : kReplacementCharacter);
    }
    at += point.bytes;
  }
  return result;
}

std::string pixels(double value) {
  return format_fixed(value, 1);
}

std::string text_at(double x, double y, const std::string& anchor, const std::string& text) {
  return "<text class=\"ink\" x=\"" + pixels(x) + "\" y=\"" + pixels(y) + "\" text-anchor=\"" + anchor +
         "\">" + escape(text) + "</text>\n";
}

std::string line_between(const std::string& style, ChartPoint from, ChartPoint to) {
  return "<line class=\"" + style + "\" x1=\"" + pixels(from.x) + "\" y1=\"" + pixels(from.y) + "\" x2=\"" +
         pixels(to.x) + "\" y2=\"" + pixels(to.y) + "\"/>\n";
}

// Finite, and far enough from the largest double that an axis can enclose it.
bool is_drawable(ChartPoint point) {
  return std::abs(point.x) < 1e300 && std::abs(point.y) < 1e300;
}

// Ticks at 1, 2 or 5 times a power of ten, some `intervals` of them.
Axis round_axis(double low, double high, int intervals) {
  if (!(low <= high)) return {};  // no data
  const double magnitude = std::max(std::abs(low), std::abs(high));
  if (high - low <= 1e-9 * magnitude || magnitude < 1e-300) {  // a constant
    const double margin = magnitude < 1e-300 ? 1 : magnitude / 2;
    low -= margin;
    high += margin;
  }
  const double rough = (high - low) / intervals;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double factor = rough / power;
  const double step = (factor <= 1.5 ? 1 : factor <= 3.5 ? 2 : factor <= 7.5 ? 5 : 10) * power;
  constexpr double kRounding = 1e-9;  // a value that misses its tick by rounding needs no further tick
  return {std::floor(low / step + kRounding) * step, std::ceil(high / step - kRounding) * step, step};
}

// The axis for one coordinate of the series that `counts`.
template <typename Counts>
Axis axis_for(const LineChart& chart, double ChartPoint::*coordinate, int intervals, Counts counts) {
  double low = INFINITY;
  double high = -INFINITY;
  for (const ChartSeries& series : chart.series) {
    if (!counts(series)) continue;
    for (const ChartPoint& point : series.points) {
      if (!is_drawable(point)) continue;
      low = std::min(low, point.*coordinate);
      high = std::max(high, point.*coordinate);
    }
  }
  return round_axis(low, high, intervals);
}

Frame frame_of(const LineChart& chart) {
  const auto second = [](const ChartSeries& series) { return series.second_axis; };
  Frame frame;
  frame.has_second_y = std::any_of(chart.series.begin(), chart.series.end(), second);
  const double top = kLegendTop + 22 + (chart.series.size() > 2 ? kLegendRow : 0);
  frame.plot = {72, top, chart.width - (frame.has_second_y ? 72.0 : 28.0), chart.height - 56.0};
  frame.x = axis_for(chart, &ChartPoint::x, chart.width / 110, [](const ChartSeries&) { return true; });
  const int intervals = chart.height / 70;
  frame.y = axis_for(chart, &ChartPoint::y, intervals, std::not_fn(second));
  frame.second_y = axis_for(chart, &ChartPoint::y, intervals, second);
  return frame;
}

std::string draw_axes(const Frame& frame) {
  const Box& plot = frame.plot;
  std::string svg;
  for (Index i = 0; i < frame.y.ticks(); ++i) {
    const double y = frame.pixel_y(frame.y.tick(i), frame.y);
    svg += line_between("grid", {plot.left, y}, {plot.right, y});
    svg += text_at(plot.left - 8, y + 4, "end", format_tick(frame.y.tick(i)));
  }
  for (Index i = 0; i < frame.x.ticks(); ++i) {
    const double x = frame.pixel_x(frame.x.tick(i));
    svg += line_between("axis", {x, plot.bottom}, {x, plot.bottom + 5});
    svg += text_at(x, plot.bottom + 20, "middle", format_tick(frame.x.tick(i)));
  }
  svg += line_between("axis", {plot.left, plot.bottom}, {plot.right, plot.bottom});
  svg += line_between("axis", {plot.left, plot.top}, {plot.left, plot.bottom});
  if (!frame.has_second_y) return svg;
  for (Index i = 0; i < frame.second_y.ticks(); ++i) {
    const double y = frame.pixel_y(frame.second_y.tick(i), frame.second_y);
    svg += line_between("axis", {plot.right, y}, {plot.right + 5, y});
    svg += text_at(plot.right + 9, y + 4, "start", format_tick(frame.second_y.tick(i)));
  }
  return svg + line_between("axis", {plot.right, plot.top}, {plot.right, plot.bottom});
}

std::string sideways(double x, double y, const std::string& text) {
  return "<text class=\"ink\" text-anchor=\"middle\" transform=\"translate(" + pixels(x) + " " + pixels(y) +
         ") rotate(-90)\">" + escape(text) + "</text>\n";
}

std::string draw_labels(const LineChart& chart, const Frame& frame) {
  const double middle_y = (frame.plot.top + frame.plot.bottom) / 2;
  std::string svg = "<text class=\"ink title\" x=\"" + pixels(frame.plot.left) + "\" y=\"28\">" +
                    escape(chart.title) + "</text>\n";
  svg += text_at((frame.plot.left + frame.plot.right) / 2, chart.height - 14, "middle", chart.x_label);
  svg += sideways(16, middle_y, chart.y_label);
  if (frame.has_second_y) svg += sideways(chart.width - 12, middle_y, chart.second_y_label);
  return svg;
}

std::string stroke(std::size_t index) {
  const std::string dashes = kDashes[index];
  return "class=\"line s" + std::to_string(index) + "\"" +
         (dashes.empty() ? "" : " stroke-dasharray=\"" + dashes + "\"");
}

std::string ring(std::size_t index, double x, double y) {
  return "<circle class=\"line s" + std::to_string(index) + "\" cx=\"" + pixels(x) + "\" cy=\"" + pixels(y) +
         "\" r=\"3\"/>\n";
}

// The line, broken at points that are not finite. A point without a neighbor is a ring.
std::string draw_series(const ChartSeries& series, std::size_t index, const Frame& frame) {
  const Axis& axis = series.second_axis ? frame.second_y : frame.y;
  const std::vector<ChartPoint>& points = series.points;
  std::string path;
  std::string rings;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!is_drawable(points[i])) continue;
    const double x = frame.pixel_x(points[i].x);
    const double y = frame.pixel_y(points[i].y, axis);
    const bool goes_on = i > 0 && is_drawable(points[i - 1]);
    const bool is_followed = i + 1 < points.size() && is_drawable(points[i + 1]);
    if (goes_on || is_followed) {
      path += (goes_on ? "L" : "M") + pixels(x) + " " + pixels(y) + " ";
    } else {
      rings += ring(index, x, y);
    }
  }
  return (path.empty() ? "" : "<path " + stroke(index) + " d=\"" + path + "\"/>\n") + rings;
}

// Under the title, two to a row.
std::string draw_legend(const LineChart& chart, const Frame& frame) {
  const double half = (frame.plot.right - frame.plot.left) / 2;
  std::string svg;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const double x = frame.plot.left + (i % 2 == 0 ? 0 : half);
    const double y = i < 2 ? kLegendTop : kLegendTop + kLegendRow;
    svg += "<path " + stroke(i) + " d=\"M" + pixels(x) + " " + pixels(y) + " h28\"/>\n";
    const std::string side = chart.series[i].second_axis ? " (right)" : "";
    svg += text_at(x + 36, y + 4, "start", chart.series[i].name + side);
  }
  return svg;
}

}  // namespace

std::string to_svg(const LineChart& chart) {
  CHECK(chart.series.size() <= kMostSeries, "series=", chart.series.size());
  CHECK(chart.width >= 320 && chart.height >= 240, "width=", chart.width, " height=", chart.height);
  const Frame frame = frame_of(chart);
  const std::string size = std::to_string(chart.width) + " " + std::to_string(chart.height);
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size + "\" width=\"" +
                    std::to_string(chart.width) + "\" height=\"" + std::to_string(chart.height) +
                    "\" role=\"img\">\n";
  svg += "<title>" + escape(chart.title) + "</title>\n";
  svg += kStyle;
  svg += "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n";
  svg += draw_axes(frame) + draw_labels(chart, frame) + draw_legend(chart, frame);
  for (std::size_t i = 0; i < chart.series.size(); ++i) svg += draw_series(chart.series[i], i, frame);
  return svg + "</svg>\n";
}

}  // namespace plainformer
