#include "lab/pictures/bar_chart.h"

#include "core/check.h"
#include "lab/pictures/picture.h"

namespace plainformer {

namespace {

constexpr double kHeading = 24, kBar = 14;

}  // namespace

std::string draw_bars(const BarChart& chart, const BarPlace& place) {
  CHECK(chart.longest > 0, "longest=", chart.longest);
  std::string svg = svg::text("ink heading", {place.left, place.top + 13}, "start", chart.heading);
  if (!chart.note.empty()) svg += svg::text("soft", {place.right, place.top + 13}, "end", chart.note);
  double y = place.top + kHeading;
  for (const ChartBar& bar : chart.bars) {
    CHECK(bar.length >= 0 && bar.length <= chart.longest, bar.name, " length=", bar.length);
    const double width = (place.longest_end - place.axis) * bar.length / chart.longest;
    svg += svg::text("ink", {place.axis - 8, y + kBar - 2}, "end", bar.name);
    svg += svg::rectangle("fill" + color_class(bar.color), {place.axis, y}, {width, kBar});
    svg += svg::text("ink", {place.axis + width + 6, y + kBar - 2}, "start", bar.value);
    y += kBarRow;
  }
  return svg + svg::line("axis", {place.axis, place.top + kHeading - 4}, {place.axis, y - 4});
}

double height_of(const BarChart& chart) {
  return kHeading + kBarRow * static_cast<double>(chart.bars.size());
}

}  // namespace plainformer
