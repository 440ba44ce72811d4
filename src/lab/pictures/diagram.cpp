#include "lab/pictures/diagram.h"

#include <cmath>

#include "core/check.h"
#include "lab/pictures/picture.h"

namespace plainformer {

namespace {

constexpr double kLine = 14;  // of text
constexpr double kHead = 7;   // the length of an arrow's head, and its width

}  // namespace

std::string draw_box_text(const DiagramBox& box) {
  struct Line {
    const std::string& text;
    const char* classes;
  };
  std::vector<Line> lines = {{box.name, "ink code name"}};
  if (!box.shape.empty()) lines.push_back({box.shape, "soft code"});
  if (!box.remark.empty()) lines.push_back({box.remark, "soft small"});
  const double x = box.top().x, middle = box.left().y;
  double y = middle + 4 - kLine * static_cast<double>(lines.size() - 1) / 2;
  std::string svg;
  for (const auto& [text, classes] : lines) {
    svg += svg::text(classes, {x, y}, "middle", text);
    y += kLine;
  }
  return svg;
}

std::string draw_box(const DiagramBox& box) {
  return svg::rectangle("box" + color_class(box.color), box.top_left, box.size) + draw_box_text(box);
}

std::string draw_arrow(const std::vector<ChartPoint>& corners) {
  CHECK(corners.size() >= 2, "corners=", corners.size());
  const ChartPoint end = corners.back(), before = corners[corners.size() - 2];
  const double length = std::hypot(end.x - before.x, end.y - before.y);
  const double x = (end.x - before.x) / length * kHead, y = (end.y - before.y) / length * kHead;
  const ChartPoint neck = {end.x - x, end.y - y};
  std::string line = svg::command('M', corners.front());
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) line += svg::command('L', corners[i]);
  const std::string head = svg::command('M', end) + svg::command('L', {neck.x - y / 2, neck.y + x / 2}) +
                           svg::command('L', {neck.x + y / 2, neck.y - x / 2}) + "z";
  return svg::path("arrow c6", line + svg::command('L', neck)) + svg::path("fill c6", head);
}

std::string draw_frame(ChartPoint top_left, ChartPoint size) {
  return svg::rectangle("frame c6", top_left, size);
}

}  // namespace plainformer
