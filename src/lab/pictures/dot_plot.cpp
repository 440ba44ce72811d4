#include "lab/pictures/dot_plot.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "lab/pictures/chart_axis.h"
#include "lab/pictures/picture.h"
#include "lab/pictures/svg.h"
#include "report/number_format.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

// Pixels.
constexpr double kRow = 20, kPanel = 260, kBetween = 34, kEdge = 16;
constexpr double kCharacter = 7, kAboveRows = 78, kBelowRows = 34, kLeastWidth = 440;
constexpr const char* kDot = "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z";

std::vector<double> finite(const std::vector<double>& values) {
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
               [](double value) { return std::abs(value) < 1e300; });
  return finite;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// One panel's place, and its scale.
struct Place {
  double left, top, bottom;
  ChartAxis axis;

  double x(double value) const { return left + axis.share(value) * kPanel; }
};

ChartAxis axis_of(const DotPlot& plot, std::size_t panel) {
  double low = INFINITY, high = -INFINITY;
  for (const DotRow& row : plot.rows) {
    for (const double value : finite(row.values[panel])) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (const std::optional<double> reference = plot.panels[panel].reference) {
    low = std::min(low, *reference);
    high = std::max(high, *reference);
  }
  return linear_axis(low, high, 4);
}

double middle_of_row(const Place& place, std::size_t row) {
  return place.top + kRow * (static_cast<double>(row) + 0.5);
}

std::string draw_axis(const DotPanel& panel, const Place& place) {
  std::string svg = svg::text("ink heading", {place.left, place.top - 8}, "start", panel.heading);
  for (const double tick : place.axis.ticks) {
    svg += svg::line("grid", {place.x(tick), place.top}, {place.x(tick), place.bottom});
    svg += svg::text("ink", {place.x(tick), place.bottom + 18}, "middle", format_tick(tick));
  }
  return svg + svg::line("axis", {place.left, place.bottom}, {place.left + kPanel, place.bottom});
}

std::string draw_values(const std::vector<double>& values, const Place& place, double y) {
  std::string dots;
  for (const double value : values) dots += svg::command('M', {place.x(value), y}) + kDot;
  const double mean = place.x(mean_of(values));
  return svg::path("mark c0", dots) + svg::path("line marked c1", svg::command('M', {mean, y - 7}) + "v14");
}

std::string draw_panel(const DotPlot& plot, std::size_t panel, const Place& place) {
  std::string svg = draw_axis(plot.panels[panel], place);
  if (const std::optional<double> reference = plot.panels[panel].reference) {
    const double x = place.x(*reference);
    svg += svg::path("frame c1", svg::command('M', {x, place.top}) + svg::command('L', {x, place.bottom}));
  }
  for (std::size_t i = 0; i < plot.rows.size(); ++i) {
    const std::vector<double> values = finite(plot.rows[i].values[panel]);
    if (!values.empty()) svg += draw_values(values, place, middle_of_row(place, i));
  }
  return svg;
}

std::string draw_names(const DotPlot& plot, const Place& place) {
  std::string svg;
  for (std::size_t i = 0; i < plot.rows.size(); ++i)
    svg += svg::text("ink", {place.left - 12, middle_of_row(place, i) + 4}, "end", plot.rows[i].name);
  return svg;
}

// Says beside a dot and a stroke which values they show.
std::string draw_legend(const DotPlot& plot, double left) {
  const double y = kTitleBaseline + 24, stroke = left + 130;
  return svg::path("mark c0", svg::command('M', {left + 3, y}) + kDot) +
         svg::text("ink", {left + 14, y + 4}, "start", plot.dot) +
         svg::path("line marked c1", svg::command('M', {stroke, y - 7}) + "v14") +
         svg::text("ink", {stroke + 10, y + 4}, "start", "their mean");
}

}  // namespace

std::string to_svg(const DotPlot& plot) {
  CHECK(!plot.panels.empty(), "a dot plot without panels");
  int longest_name = 0;
  for (const DotRow& row : plot.rows) {
    CHECK(row.values.size() == plot.panels.size(), row.name, " has values for ", row.values.size(), " of ",
          plot.panels.size(), " panels");
    longest_name = std::max(longest_name, display_width(row.name));
  }
  const double names_end = kEdge + kCharacter * longest_name + 12;
  std::string svg = draw_legend(plot, names_end);
  double top = kTitleBaseline + kAboveRows;
  for (std::size_t panel = 0; panel < plot.panels.size(); ++panel) {
    const double bottom = top + kRow * static_cast<double>(plot.rows.size());
    const Place place = {.left = names_end, .top = top, .bottom = bottom, .axis = axis_of(plot, panel)};
    svg += draw_names(plot, place) + draw_panel(plot, panel, place);
    top = bottom + kBelowRows + kBetween;
  }
  return framed({.title = plot.title,
                 .description = plot.description,
                 .width = std::max(kLeastWidth, names_end + kPanel + kEdge + 8),
                 .height = top - kBetween},
                svg);
}

}  // namespace plainformer
