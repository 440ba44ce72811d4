#include "show/pictures/svg.h"

#include "report/number_format.h"
#include "show/html_page.h"

namespace plainformer::svg {

namespace {

std::string pixels(double value) {
  return format_fixed(value, 1);
}

std::string attribute(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + value + "\"";
}

}  // namespace

std::string text(const std::string& classes, ChartPoint at, const std::string& anchor,
                 const std::string& content) {
  return "<text" + attribute("class", classes) + attribute("x", pixels(at.x)) + attribute("y", pixels(at.y)) +
         attribute("text-anchor", anchor) + ">" + escape_markup(content) + "</text>\n";
}

std::string line(const std::string& classes, ChartPoint from, ChartPoint to) {
  return "<line" + attribute("class", classes) + attribute("x1", pixels(from.x)) +
         attribute("y1", pixels(from.y)) + attribute("x2", pixels(to.x)) + attribute("y2", pixels(to.y)) +
         "/>\n";
}

std::string path(const std::string& classes, const std::string& commands) {
  return "<path" + attribute("class", classes) + attribute("d", commands) + "/>\n";
}

std::string rectangle(const std::string& classes, ChartPoint top_left, ChartPoint size) {
  return "<rect" + attribute("class", classes) + attribute("x", pixels(top_left.x)) +
         attribute("y", pixels(top_left.y)) + attribute("width", pixels(size.x)) +
         attribute("height", pixels(size.y)) + "/>\n";
}

std::string command(char name, ChartPoint to) {
  return name + pixels(to.x) + " " + pixels(to.y);
}

}  // namespace plainformer::svg
