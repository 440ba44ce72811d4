#include "show/pictures/svg.h"

#include "core/utf8.h"
#include "report/number_format.h"

namespace plainformer::svg {

namespace {

std::string pixels(double value) {
  return format_fixed(value, 1);
}

std::string attribute(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + value + "\"";
}

}  // namespace

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
    } else if (point.value == '"') {
      result += "&quot;";
    } else if (point.value == '\'') {
      result += "&#39;";
    } else {
      append_utf8(result, allowed ? point.value : kReplacementCharacter);
    }
    at += point.bytes;
  }
  return result;
}

std::string text(const std::string& classes, ChartPoint at, const std::string& anchor,
                 const std::string& content) {
  return "<text" + attribute("class", classes) + attribute("x", pixels(at.x)) + attribute("y", pixels(at.y)) +
         attribute("text-anchor", anchor) + ">" + escape(content) + "</text>\n";
}

std::string slanted_text(const std::string& classes, ChartPoint at, const std::string& content) {
  const std::string x = pixels(at.x), y = pixels(at.y);
  return "<text" + attribute("class", classes) + attribute("x", x) + attribute("y", y) +
         attribute("transform", "rotate(-45 " + x + " " + y + ")") + ">" + escape(content) + "</text>\n";
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
